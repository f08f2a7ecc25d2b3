package io.baton;

import java.util.List;
import java.util.Map;

/** Told of the records under a prefix: first a snapshot, then changes, and after any gap a snapshot again. Serially. */
public interface RecordsListener {

    /** All records under the prefix, by name, as they were together at this position. */
    void snapshot(Map<String, Item> all, Position at);

    /**
     * What has changed since: new values, and names that are gone. What was written in one transaction is told at once.
     *
     * @param revision at which the records were like this together
     */
    void changed(List<Item> put, List<String> deleted, long revision);
}
