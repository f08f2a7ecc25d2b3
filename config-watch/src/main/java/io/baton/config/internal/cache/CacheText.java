package io.baton.config.internal.cache;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A text with a first line that shows whether the text is whole: its kind, the version of its format, its SHA-256, and
 * its length.
 */
final class CacheText {

    private static final String OURS = "baton-config-cache ";
    private static final String WHAT = OURS + "1 ";

    /** How many bytes identify a cache of any version. */
    static final int BEGINNING = OURS.length();

    /** Longer than any first line. */
    private static final int MOST = 120;

    private CacheText() {}

    static byte[] sealed(byte[] text) {
        byte[] line = line(text).getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(line, line.length + text.length);
        System.arraycopy(text, 0, all, line.length, text.length);
        return all;
    }

    /** Returns whether a file with this beginning, or of this whole content, is a cache, even if it was cut off. */
    static boolean mayBegin(byte[] beginning) {
        return OURS.startsWith(new String(beginning, StandardCharsets.ISO_8859_1));
    }

    /**
     * Returns the text behind the line.
     *
     * @throws IOException if it is not exactly what was sealed; says why
     */
    static byte[] opened(byte[] all) throws IOException {
        int end = 0;
        while (end < all.length && end < MOST && all[end] != '\n') {
            end++;
        }
        if (end == all.length || all[end] != '\n') {
            throw new IOException("it has no first line of a cache");
        }
        String line = new String(all, 0, end + 1, StandardCharsets.ISO_8859_1);
        if (!line.startsWith(WHAT)) {
            throw new IOException("it is not a cache, or one of another version");
        }
        byte[] text = Arrays.copyOfRange(all, end + 1, all.length);
        if (!line.equals(line(text))) {
            throw new IOException("it was cut off, or changed since it was written");
        }
        return text;
    }

    private static String line(byte[] text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text);
            return WHAT + HexFormat.of().formatHex(hash) + " " + text.length + "\n";
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
