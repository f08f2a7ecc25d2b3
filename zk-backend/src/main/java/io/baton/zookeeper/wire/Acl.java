package io.baton.zookeeper.wire;

import io.baton.Secret;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * The ACL of every node that Baton creates. A line must have the same ACL to be joined.
 *
 * <p>All contenders of a line must be able to read all its entries, as a server sends no events for unreadable nodes.
 * So one ACL serves a whole line. ZooKeeper's own {@code auth} scheme does not fit. It stands for every identity of the
 * creating client, a client certificate too, and so differs from client to client.
 *
 * @param entries as the server keeps them
 * @param checked whether a line with another ACL is refused
 */
public record Acl(List<ACL> entries, boolean checked) {

    /** Every client may do everything, and the ACLs of lines are not checked. */
    static final Acl OPEN = new Acl(Ids.OPEN_ACL_UNSAFE, false);

    private static final String CREATOR = "creator";
    private static final Pattern BETWEEN = Pattern.compile(",(?=[a-z0-9]+:)");
    private static final Pattern ENTRY = Pattern.compile("([a-z0-9]+):(.+):([cdrwa]+)");
    private static final int NEEDED = Perms.CREATE | Perms.DELETE | Perms.READ | Perms.WRITE;

    /**
     * Parses {@code open}, {@code creator} or {@code scheme:id:cdrwa,...}. Without a text, a client with credentials
     * gets {@code creator}; others get {@code open}, with no check of lines.
     *
     * @throws IllegalArgumentException if it cannot work; the message says why
     */
    public static Acl of(Optional<String> text, Optional<Digest> digest) {
        String given = text.orElse(digest.isPresent() ? CREATOR : "open").trim();
        return switch (given) {
            case "open" -> text.isPresent() ? new Acl(Ids.OPEN_ACL_UNSAFE, true) : OPEN;
            case CREATOR -> new Acl(List.of(new ACL(Perms.ALL, own(digest))), true);
            default -> new Acl(parse(given), true);
        };
    }

    /** Describes how the other list differs; empty if it does not. */
    Optional<String> difference(List<ACL> others) {
        if (new HashSet<>(masked(entries, others)).equals(new HashSet<>(others))) {
            return Optional.empty();
        }
        String theirs = text(others);
        String ours = text(entries);
        return Optional.of(theirs.equals(ours) ? theirs + " with another password" : theirs + ", not " + ours);
    }

    @Override
    public String toString() {
        return text(entries);
    }

    private static Id own(Optional<Digest> digest) {
        Digest own = digest.orElseThrow(() ->
                new IllegalArgumentException("acl=creator needs credentials: set digest.user and digest.password"));
        try {
            return new Id("digest", DigestAuthenticationProvider.generateDigest(own.plain()));
        } catch (NoSuchAlgorithmException unsupported) {
            throw new IllegalStateException("this JVM lacks what ZooKeeper's digests take", unsupported);
        }
    }

    private static List<ACL> parse(String text) {
        var entries = new ArrayList<ACL>();
        boolean enough = false;
        for (String part : BETWEEN.split(text, -1)) {
            Matcher entry = ENTRY.matcher(part.trim());
            if (!entry.matches()) {
                throw new IllegalArgumentException("cannot read the ACL '" + part + "': it is open, creator, or"
                        + " scheme:id:cdrwa,... as in digest:app:HASH:cdrwa,world:anyone:r");
            }
            if (entry.group(1).equals("auth")) {
                throw new IllegalArgumentException(
                        "the scheme auth would differ from client to client, and those of one"
                                + " line must share an ACL: use acl=creator, or spell it out");
            }
            int permissions = permissions(entry.group(3));
            enough |= (permissions & NEEDED) == NEEDED;
            entries.add(new ACL(permissions, new Id(entry.group(1), entry.group(2))));
        }
        if (!enough) {
            throw new IllegalArgumentException(
                    "the ACL '" + text(entries) + "' lets nobody work: one of its entries must have at least cdrw");
        }
        return List.copyOf(entries);
    }

    private static int permissions(String letters) {
        int all = 0;
        for (int i = 0; i < letters.length(); i++) {
            all |= switch (letters.charAt(i)) {
                case 'c' -> Perms.CREATE;
                case 'd' -> Perms.DELETE;
                case 'r' -> Perms.READ;
                case 'w' -> Perms.WRITE;
                default -> Perms.ADMIN;
            };
        }
        return all;
    }

    /** A client without the admin permission of a node sees {@code user:x} in its ACL, not the hashes. */
    private static List<ACL> masked(List<ACL> ours, List<ACL> shown) {
        Pattern hidden = Pattern.compile("[^:]*:x");
        boolean masks = shown.stream()
                .map(ACL::getId)
                .anyMatch(id -> id.getScheme().equals("digest")
                        && hidden.matcher(id.getId()).matches());
        return masks ? ours.stream().map(Acl::masked).toList() : ours;
    }

    private static ACL masked(ACL entry) {
        Id id = entry.getId();
        return id.getScheme().equals("digest")
                ? new ACL(entry.getPerms(), new Id(id.getScheme(), user(id.getId()) + ":x"))
                : entry;
    }

    private static String text(List<ACL> entries) {
        return entries.stream().map(Acl::text).sorted().collect(Collectors.joining(","));
    }

    /** Omits the hash: with it, a password can be guessed offline. */
    private static String text(ACL entry) {
        Id id = entry.getId();
        String who = id.getScheme().equals("digest") ? user(id.getId()) : id.getId();
        return id.getScheme() + ":" + who + ":" + letters(entry.getPerms());
    }

    private static String user(String digest) {
        int colon = digest.indexOf(':');
        return colon < 0 ? digest : digest.substring(0, colon);
    }

    private static String letters(int permissions) {
        var letters = new StringBuilder();
        letters.append((permissions & Perms.CREATE) != 0 ? "c" : "");
        letters.append((permissions & Perms.DELETE) != 0 ? "d" : "");
        letters.append((permissions & Perms.READ) != 0 ? "r" : "");
        letters.append((permissions & Perms.WRITE) != 0 ? "w" : "");
        letters.append((permissions & Perms.ADMIN) != 0 ? "a" : "");
        return letters.toString();
    }

    /** A user of ZooKeeper's digest scheme, with its password. */
    public record Digest(String user, Secret password) {

        /**
         * Reads the password once. A client with another password would be another user, and would not own the nodes it
         * had created.
         */
        public Digest {
            password = password.kept();
            if (user.isEmpty() || user.indexOf(':') >= 0) {
                throw new IllegalArgumentException("a digest user is not empty and has no ':' in it");
            }
        }

        /** Returns {@code user:password} in UTF-8, as ZooKeeper's digest scheme expects it. */
        public byte[] bytes() {
            return plain().getBytes(StandardCharsets.UTF_8);
        }

        private String plain() {
            return user + ":" + password.reveal();
        }
    }
}
