package io.baton.zookeeper;

import java.util.Comparator;

/**
 * The node name of a contender, as its {@link Naming} reads it.
 *
 * @param name the whole name
 * @param sequence the number that the server appended
 * @param ours whether Baton made it, in whatever process
 */
record EntryName(String name, long sequence, boolean ours) {

    /** In line order, first first, while the numbers can be relied upon. */
    static final Comparator<EntryName> LINE_ORDER = Comparator.comparingLong(EntryName::sequence);

    /** From here on the server's counter is too near its end, where it repeats a number, to be relied upon. */
    static final long LAST_SAFE = (1L << 31) - (1L << 24);

    /** Whether the number tells the place in the line. */
    boolean numbered() {
        return sequence >= 0 && sequence < LAST_SAFE;
    }
}
