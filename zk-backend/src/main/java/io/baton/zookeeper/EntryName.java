package io.baton.zookeeper;

import io.baton.spi.Claim;
import java.util.Comparator;

/**
 * A contender's node name, parsed by its {@link Naming}.
 *
 * @param name the whole name
 * @param sequence the number that the server appended
 * @param ours whether Baton made it, in any process
 * @param claim what the contender claims
 */
record EntryName(String name, long sequence, boolean ours, Claim claim) {

    /** Line order, the first entry first, while the sequence numbers are reliable. */
    static final Comparator<EntryName> LINE_ORDER = Comparator.comparingLong(EntryName::sequence);

    /** From here on the server's counter is too near its end, where it repeats a number. */
    static final long LAST_SAFE = (1L << 31) - (1L << 24);

    /** Whether the sequence number gives the position in the line. */
    boolean numbered() {
        return sequence >= 0 && sequence < LAST_SAFE;
    }
}
