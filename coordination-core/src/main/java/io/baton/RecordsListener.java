package io.baton;

import java.util.List;
import java.util.Map;

/** Told of the records under a prefix: first a snapshot, then changes, and after any gap a snapshot again. Serially. */
public interface RecordsListener {

    /** All records under the prefix, by name. */
    void snapshot(Map<String, Item> all);

    /** What has changed since: new values, and names that are gone. */
    void changed(List<Item> put, List<String> gone);
}
