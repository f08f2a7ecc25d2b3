package io.baton.config.internal.write;

import io.baton.config.ConfigException;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.Json;
import io.baton.config.internal.record.TooLargeException;
import io.baton.spi.Guarantees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Computes what fits into one transaction, by guards and operations, and by bytes of keys and values. A written key
 * takes a guard, an operation, its new text, and both its texts in the history.
 */
final class Sizes {

    /** Two guards and two writes: Baton's data on the space, and the record in the history. */
    private static final int OPS_FIXED = 4;

    /** A guard or an operation has a path and some numbers beside its value. */
    private static final int BYTES_PER_OP = 100;

    /** The encoding of a key in a path may triple a byte. */
    private static final int BYTES_PER_KEY_BYTE = 3;

    private static final int QUOTES_AND_COMMA = 4;

    private final Guarantees limits;
    private final String tree;
    private final int fixedOps;
    private final long fixedBytes;

    /**
     * Creates it for changes of one space.
     *
     * @param tree the tree of the values
     * @param fixedOps guards and operations of a transaction, besides those of keys and the four of each change
     * @param fixedBytes bytes of a transaction besides its keys: Baton's data on the space, author and comment
     */
    Sizes(Guarantees limits, String tree, int fixedOps, long fixedBytes) {
        this.limits = limits;
        this.tree = tree;
        this.fixedOps = fixedOps + OPS_FIXED;
        this.fixedBytes = fixedBytes + (long) this.fixedOps * BYTES_PER_OP;
    }

    /**
     * Refuses a change that does not fit.
     *
     * @param keys the change of each key
     * @throws TooLargeException if it fits in parts
     * @throws ConfigException if a single key does not fit
     */
    void check(SortedMap<String, HistoryRecord.Key> keys) {
        List<SortedSet<String>> parts = parts(keys);
        if (parts.size() > 1) {
            throw new TooLargeException(
                    "a change of " + keys.size() + " keys of " + tree + " does not fit into one transaction of this"
                            + " store, which takes " + limits.maxOps() + " guards and operations and "
                            + limits.maxBytes() + " bytes: its first "
                            + parts.get(0).size() + " keys do",
                    parts.size());
        }
    }

    /**
     * Returns whether a change has room to compare all of these keys as well.
     *
     * @param keys the change of each key, which fits
     */
    boolean haveRoom(SortedMap<String, HistoryRecord.Key> keys, Set<String> compared) {
        int ops = fixedOps + compared.size();
        long bytes = fixedBytes;
        for (Map.Entry<String, HistoryRecord.Key> each : keys.entrySet()) {
            ops += each.getValue().changed() ? 2 : 1;
            bytes += bytes(each.getKey(), each.getValue());
        }
        for (String key : compared) {
            bytes += BYTES_PER_OP + BYTES_PER_KEY_BYTE * bytes(key);
        }
        return ops <= limits.maxOps() && bytes <= limits.maxBytes();
    }

    /**
     * Returns the keys of each transaction, in order, as many as fit.
     *
     * @throws ConfigException if a single key does not fit
     */
    List<SortedSet<String>> parts(SortedMap<String, HistoryRecord.Key> keys) {
        List<SortedSet<String>> parts = new ArrayList<>();
        SortedSet<String> part = new TreeSet<>();
        int ops = fixedOps;
        long bytes = fixedBytes;
        for (Map.Entry<String, HistoryRecord.Key> each : keys.entrySet()) {
            int itsOps = each.getValue().changed() ? 2 : 1;
            long itsBytes = bytes(each.getKey(), each.getValue());
            if (fixedOps + itsOps > limits.maxOps()) {
                throw new ConfigException(
                        "a change of " + tree + " expects something of more keys than this store takes"
                                + " in one transaction: " + limits.maxOps() + " guards and operations");
            }
            if (fixedBytes + itsBytes > limits.maxBytes()) {
                throw tooLarge(each.getKey(), each.getValue(), fixedBytes + itsBytes);
            }
            if (ops + itsOps > limits.maxOps() || bytes + itsBytes > limits.maxBytes()) {
                parts.add(part);
                part = new TreeSet<>();
                ops = fixedOps;
                bytes = fixedBytes;
            }
            part.add(each.getKey());
            ops += itsOps;
            bytes += itsBytes;
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }

    private static long bytes(String key, HistoryRecord.Key what) {
        long paths = 2 * (BYTES_PER_OP + BYTES_PER_KEY_BYTE * bytes(key));
        long history = (long) Json.write(key).length + Json.write(what).length + QUOTES_AND_COMMA;
        return paths + history + (what.changed() ? bytes(what.now()) : 0);
    }

    private ConfigException tooLarge(String key, HistoryRecord.Key what, long all) {
        return new ConfigException("the change is too large: with its place in the history, which keeps each text as"
                + " it was before and is after, it takes " + all + " bytes, and this store takes "
                + limits.maxBytes() + "; '" + key + "' has " + bytes(what.before()) + " bytes before and "
                + bytes(what.now()) + " after");
    }

    private static long bytes(@Nullable String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }
}
