package io.baton.zookeeper;

import io.baton.Dialect;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names of a line's entries: a prefix with the contender's id, and the number that the server appends.
 *
 * <p>Every child that ends in such a number is a contender of some program. A prefix of another naming belongs to a
 * program that looks for other names. It and Baton would not see each other, and both could hold the lock.
 */
enum Naming {
    /** Curator's mutex: {@code _c_<uuid>-lock-}, or {@code lock-} without an id. */
    CURATOR {
        @Override
        String prefix(UUID id, Claim claim) {
            return Marked.prefix(id, LOCK);
        }

        @Override
        @Nullable
        Claim claim(String name, int length) {
            return Marked.is(name, length, LOCK) ? Claim.EXCLUSIVE : null;
        }
    },
    /** Curator's leader latch: {@code _c_<uuid>-latch-}, or {@code latch-}. */
    CURATOR_LATCH {
        @Override
        String prefix(UUID id, Claim claim) {
            return Marked.prefix(id, LATCH);
        }

        @Override
        @Nullable
        Claim claim(String name, int length) {
            return Marked.is(name, length, LATCH) ? Claim.EXCLUSIVE : null;
        }
    },
    /** Curator's read/write lock: {@code _c_<uuid>-__READ__} and {@code _c_<uuid>-__WRIT__}, or without an id. */
    CURATOR_READ_WRITE {
        @Override
        String prefix(UUID id, Claim claim) {
            return Marked.prefix(id, claim.equals(Claim.SHARED) ? READ : WRITE);
        }

        @Override
        @Nullable
        Claim claim(String name, int length) {
            if (Marked.is(name, length, READ)) {
                return Claim.SHARED;
            }
            return Marked.is(name, length, WRITE) ? Claim.EXCLUSIVE : null;
        }
    },
    /** Baton's permits: {@code _c_<uuid>-permits-<number>-}. */
    PERMITS {
        @Override
        String prefix(UUID id, Claim claim) {
            return Marked.prefix(id, PERMITS_KIND) + claim.permits() + "-";
        }

        @Override
        @Nullable
        Claim claim(String name, int length) {
            int from = Marked.KIND_AT + 1 + PERMITS_KIND.length();
            int to = length - 1;
            if (to <= from || to > from + DIGITS || !Marked.is(name, from, PERMITS_KIND) || name.charAt(to) != '-') {
                return null;
            }
            long permits = 0;
            for (int at = from; at < to; at++) {
                if (!isDigit(name.charAt(at))) {
                    return null;
                }
                permits = 10 * permits + name.charAt(at) - '0';
            }
            return permits > 0 && permits <= Integer.MAX_VALUE ? Claim.permits((int) permits) : null;
        }
    },
    /** kazoo's lock: {@code <32 hex>__lock__}. */
    KAZOO {
        @Override
        String prefix(UUID id, Claim claim) {
            return id.toString().replace("-", "") + KAZOO_KIND;
        }

        @Override
        @Nullable
        Claim claim(String name, int length) {
            boolean kazoos = length == HEX_LENGTH + KAZOO_KIND.length() && name.startsWith(KAZOO_KIND, HEX_LENGTH);
            return kazoos ? Claim.EXCLUSIVE : null;
        }

        @Override
        int versionAt() {
            return HEX_VERSION_AT;
        }
    };

    private static final Map<Line.Kind, Map<Dialect, Naming>> NAMINGS = Map.of(
            Line.Kind.MUTEX,
            Map.of(
                    Dialect.BATON, CURATOR,
                    ZooKeeperDialects.CURATOR, CURATOR,
                    ZooKeeperDialects.KAZOO, KAZOO,
                    ZooKeeperDialects.CURATOR_LATCH, CURATOR_LATCH),
            Line.Kind.READ_WRITE,
            Map.of(Dialect.BATON, CURATOR_READ_WRITE, ZooKeeperDialects.CURATOR, CURATOR_READ_WRITE),
            Line.Kind.PERMITS,
            Map.of(Dialect.BATON, PERMITS));
    private static final String LOCK = "lock-";
    private static final String READ = "__READ__";
    private static final String WRITE = "__WRIT__";
    private static final String PERMITS_KIND = "permits-";
    private static final String LATCH = "latch-";
    private static final String KAZOO_KIND = "__lock__";
    private static final int HEX_LENGTH = 32;
    private static final int HEX_VERSION_AT = 12;
    private static final int DIGITS = 10;

    /**
     * Returns the naming of a line's entries.
     *
     * @throws IllegalArgumentException if its dialect has no such lines; the message lists those that have
     */
    static Naming of(Line line) {
        Map<Dialect, Naming> dialects = NAMINGS.getOrDefault(line.kind(), Map.of());
        Naming naming = dialects.get(line.dialect());
        if (naming == null) {
            String what = line.kind() == Line.Kind.READ_WRITE ? "read/write locks" : "locks";
            throw new IllegalArgumentException("there are no " + what + " of dialect " + line.dialect()
                    + " on ZooKeeper, only of "
                    + dialects.keySet().stream().map(Dialect::name).sorted().collect(Collectors.joining(", ")));
        }
        return naming;
    }

    /**
     * Makes an entry's id from these random bits: a UUID of version 8. It marks Baton's entries, as those of other
     * programs have version 4.
     */
    static UUID id(long high, long low) {
        return new UUID((high & ~0xf000L) | 0x8000L, (low >>> 2) | 0x8000_0000_0000_0000L);
    }

    /** The name to which the server appends its number, for a contender with this claim. */
    abstract String prefix(UUID id, Claim claim);

    /** Returns what a name with a prefix of this length claims; null if the prefix is of another naming. */
    abstract @Nullable Claim claim(String name, int length);

    /** The index of the id's version digit in an own entry's name. */
    int versionAt() {
        return Marked.VERSION_AT;
    }

    /**
     * Returns the contenders among these names, unordered. Names without a number are skipped.
     *
     * @throws ForeignEntryException if one belongs to another kind of lock
     */
    List<EntryName> entries(Collection<String> names) throws ForeignEntryException {
        var entries = new ArrayList<EntryName>(names.size());
        for (String name : names) {
            EntryName entry = parse(name);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /**
     * Returns null for a name without a number. Every listing parses every name, so this uses no regular expressions.
     */
    @Nullable
    EntryName parse(String name) throws ForeignEntryException {
        int start = numberStart(name);
        if (start < 0) {
            return null;
        }
        Claim claim = claim(name, start);
        if (claim == null) {
            throw new ForeignEntryException("the entry '" + name + "' belongs to another kind of lock ("
                    + likelyOwner(name)
                    + "), which neither sees nor respects ours; use another name or the right dialect,"
                    + " or end those clients first");
        }
        boolean ours = start > versionAt() && name.charAt(versionAt()) == '8';
        return new EntryName(name, Long.parseLong(name, start, name.length(), 10), ours, claim);
    }

    /** Returns where the server's number begins: ten digits, or after its overflow a minus with nine or ten digits. */
    private static int numberStart(String name) {
        int digits = trailingDigits(name);
        int first = name.length() - digits;
        boolean negative = digits >= DIGITS - 1
                && digits <= DIGITS
                && first > 1
                && name.charAt(first - 1) == '-'
                && (name.charAt(first - 2) == '-' || name.charAt(first - 2) == '_');
        if (negative) {
            return first - 1;
        }
        return digits < DIGITS ? -1 : name.length() - DIGITS;
    }

    private static int trailingDigits(String name) {
        int digits = 0;
        while (digits < name.length() && isDigit(name.charAt(name.length() - 1 - digits))) {
            digits++;
        }
        return digits;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String likelyOwner(String name) {
        if (name.contains("__READ__") || name.contains("__WRIT__")) {
            return "a Curator read/write lock";
        } else if (name.contains(LATCH)) {
            return "a Curator LeaderLatch";
        } else if (name.contains(PERMITS_KIND)) {
            return "a semaphore of Baton's";
        } else if (name.contains("lease-")) {
            return "a Curator semaphore";
        } else if (name.contains(KAZOO_KIND)) {
            return "a kazoo Lock";
        } else if (name.contains("__rlock__")) {
            return "a kazoo read lock";
        }
        return name.contains(LOCK) ? "a Curator mutex" : "unknown";
    }

    /** The names of all Curator recipes: a mark with an id before the kind, or the kind alone. */
    private static final class Marked {

        private static final String MARK = "_c_";
        private static final int KIND_AT = MARK.length() + 36;
        private static final int VERSION_AT = MARK.length() + 14;

        static String prefix(UUID id, String kind) {
            return MARK + id + "-" + kind;
        }

        /** Whether the prefix of this length is of this kind. */
        static boolean is(String name, int length, String kind) {
            int at = length - kind.length();
            boolean marked = at == KIND_AT + 1 && name.startsWith(MARK) && name.charAt(KIND_AT) == '-';
            return (at == 0 || marked) && name.startsWith(kind, at);
        }
    }
}
