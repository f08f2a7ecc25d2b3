package io.baton;

import java.util.List;
import java.util.Map;

/**
 * A listener for the records under a prefix. It gets a snapshot first, then changes, and another snapshot after each
 * gap. Its methods are called one at a time.
 */
public interface RecordsListener {

    /** Called with a consistent snapshot of all records under the prefix, sorted by name. */
    void snapshot(Map<String, Item> all, Position at);

    /**
     * Called with the new values since the last call. All writes of a transaction come in one call.
     *
     * @param deleted the names of deleted records
     * @param revision the revision at which the records are in this state
     */
    void changed(List<Item> put, List<String> deleted, long revision);
}
