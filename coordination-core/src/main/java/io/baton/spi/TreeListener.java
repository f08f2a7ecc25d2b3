package io.baton.spi;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import java.util.List;

/** Receives a tree of records, on the loop: first a snapshot, then changes, and after any gap another snapshot. */
public interface TreeListener {

    /** Receives all records of the tree, consistent at this position. */
    void snapshot(List<Item> all, Position at);

    /**
     * Receives the changes since the last call: one or more revisions, each of them complete. With them applied, the
     * records are consistent at this revision.
     */
    void changed(List<Item> put, List<RecordKey> deleted, long revision);

    /**
     * Until a snapshot, or {@link #resumed}, the records may have changed without a report, though there may be contact.
     * For example, the store refuses to show them.
     */
    default void interrupted() {}

    /** Ends an interruption without a snapshot: changes in between, if any, have been reported or follow at once. */
    default void resumed() {}
}
