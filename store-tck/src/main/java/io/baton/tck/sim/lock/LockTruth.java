package io.baton.tck.sim.lock;

import io.baton.spi.Claim;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decisions of a simulated store about the line and the record of a run. */
public interface LockTruth {

    /**
     * An entry of the line.
     *
     * @param session the session that keeps it alive
     */
    record Entry(String name, long token, long session) {}

    /**
     * The last value of a record.
     *
     * @param revision different for each write
     */
    record Written(String value, long revision) {}

    /** Changes whenever anything below may have changed. */
    long version();

    /** The entries of the line, in the order of their creation. */
    List<Entry> line();

    /** What an entry claims of the line, as the store has it now: a downgraded one shares it. */
    default Claim claim(Entry entry) {
        return Claim.EXCLUSIVE;
    }

    /** Whether this very entry is in the line. */
    boolean stands(Entry entry);

    /** Whether the store has not ended this session. */
    boolean alive(long session);

    /**
     * How long no request about the line has been refused or has waited to be retried, in nanoseconds; 0 if there is
     * one.
     */
    default long unrefusedNanos() {
        return Long.MAX_VALUE;
    }

    /** How long the store has refused to show the line's entries, in nanoseconds; 0 if it shows them. */
    default long unseenNanos() {
        return 0;
    }

    /** The record; null if there is none. */
    @Nullable
    Written record();
}
