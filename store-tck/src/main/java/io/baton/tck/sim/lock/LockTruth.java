package io.baton.tck.sim.lock;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a simulated store has decided, of the line and the record that a run is about. */
public interface LockTruth {

    /**
     * An entry of the line.
     *
     * @param session whose liveness it hangs on
     */
    record Entry(String name, long token, long session) {}

    /**
     * What a record was last written to.
     *
     * @param revision different for each write
     */
    record Written(String value, long revision) {}

    /** Another number whenever anything below may have changed. */
    long version();

    /** Who stands in the line, in the order in which they have to be granted. */
    List<Entry> line();

    /** Whether this very entry is in the line. */
    boolean stands(Entry entry);

    /** Whether this session has not been ended by the store. */
    boolean alive(long session);

    /**
     * For how long nothing that concerns the line has been refused, and nothing that was refused waits to be asked for again; in
     * nanoseconds, 0 if it is not so.
     */
    default long unrefusedNanos() {
        return Long.MAX_VALUE;
    }

    /** For how long the store has not let anybody see whether an entry of the line stands, in nanoseconds; 0 if it does. */
    default long unseenNanos() {
        return 0;
    }

    /** The record, if there is one. */
    @Nullable
    Written record();
}
