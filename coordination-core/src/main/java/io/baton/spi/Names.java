package io.baton.spi;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * Encodes names as path segments: UTF-8, percent-encoded except {@code [A-Za-z0-9_-]} and a {@code .} that does not
 * lead. Different names give different segments, and {@link #decode} restores the name.
 */
public final class Names {

    /** The longest name, in UTF-8 bytes. Encoded, it stays below the stores' limits for one segment. */
    public static final int MAX_BYTES = 1024;

    private static final Set<String> LINES = Set.of("locks", "elections", "rwlocks", "semaphores");
    private static final String HEX = "0123456789ABCDEF";

    private Names() {}

    /**
     * Checks a name and returns it.
     *
     * @throws IllegalArgumentException if it is empty, too long, or not well-formed Unicode
     */
    public static String check(String name) {
        utf8(name);
        return name;
    }

    /**
     * Checks the name of a tree of records and returns it.
     *
     * @throws IllegalArgumentException if it would need encoding, or is reserved for lines
     */
    public static String checkTree(String tree) {
        if (!encode(tree).equals(tree)) {
            throw new IllegalArgumentException(
                    "tree '" + printable(tree) + "' may hold letters, digits, '_', '-' and '.' (not leading) only");
        }
        if (holdsLines(tree)) {
            throw new IllegalArgumentException("tree '" + tree + "' is kept for " + tree + "; choose another name");
        }
        return tree;
    }

    /** Whether lines stand below this segment, which is thus no tree of records. */
    public static boolean holdsLines(String segment) {
        return LINES.contains(segment);
    }

    /**
     * Checks an exact path by the rules of all stores and returns it. After an optional leading slash it has no empty
     * segment, no {@code .} or {@code ..}, and no control character.
     *
     * @throws IllegalArgumentException if it breaks these rules, or {@link #check} refuses a segment
     */
    public static String checkPath(String path) {
        if (path.isEmpty() || path.equals("/")) {
            throw new IllegalArgumentException("a path must name something, as /legacy/locks/orders: '" + path + "'");
        }
        for (String segment : path.substring(path.startsWith("/") ? 1 : 0).split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw new IllegalArgumentException(
                        "a path must not have an empty segment, '.' or '..': '" + printable(path) + "'");
            }
            utf8(segment);
        }
        if (path.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a path must not hold control characters: '" + printable(path) + "'");
        }
        return path;
    }

    /**
     * Checks an exact path for a store whose paths begin with a slash, such as ZooKeeper, and returns it.
     *
     * @throws IllegalArgumentException as {@link #checkPath}, or if it does not begin with a slash
     */
    public static String checkRootedPath(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "a path must begin with '/' on this store, as /legacy/locks/orders: '" + printable(path) + "'");
        }
        return checkPath(path);
    }

    /**
     * Returns the name as one path segment.
     *
     * @throws IllegalArgumentException if {@link #check} refuses it
     */
    public static String encode(String name) {
        byte[] bytes = utf8(name);
        StringBuilder out = new StringBuilder(bytes.length + 8);
        for (int i = 0; i < bytes.length; i++) {
            int b = bytes[i] & 0xff;
            if (plain(b) || (b == '.' && i > 0)) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
            }
        }
        return out.toString();
    }

    /** Returns the name of this segment; a segment that {@link #encode} cannot have made is returned as it is. */
    public static String decode(String segment) {
        byte[] bytes = new byte[segment.length()];
        int n = 0;
        for (int i = 0; i < segment.length(); i++) {
            char c = segment.charAt(i);
            if (c == '%' && i + 2 < segment.length()) {
                int high = HEX.indexOf(segment.charAt(i + 1));
                int low = HEX.indexOf(segment.charAt(i + 2));
                if (high < 0 || low < 0) {
                    return segment;
                }
                bytes[n++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                bytes[n++] = (byte) c;
            }
        }
        String name = new String(bytes, 0, n, StandardCharsets.UTF_8);
        return !name.isEmpty() && encodes(name, segment) ? name : segment;
    }

    /** Whether {@link #encode} makes this segment. */
    public static boolean isEncoded(String segment) {
        return encodes(decode(segment), segment);
    }

    private static boolean encodes(String name, String segment) {
        try {
            return encode(name).equals(segment);
        } catch (IllegalArgumentException notAName) {
            return false;
        }
    }

    private static boolean plain(int b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' || b == '-';
    }

    private static byte[] utf8(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a name must not be empty");
        }
        byte[] bytes;
        try {
            var buffer = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(name));
            bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
        } catch (CharacterCodingException broken) {
            throw new IllegalArgumentException("a name must be well-formed Unicode: " + printable(name), broken);
        }
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a name may have " + MAX_BYTES + " UTF-8 bytes; this one has " + bytes.length);
        }
        return bytes;
    }

    private static String printable(String name) {
        return name.codePoints()
                .limit(40)
                .collect(
                        StringBuilder::new,
                        (s, c) -> s.appendCodePoint(
                                Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE ? '?' : c),
                        StringBuilder::append)
                .toString();
    }
}
