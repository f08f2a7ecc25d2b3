package io.baton.spi;

import io.baton.Item;
import io.baton.RecordKey;
import java.util.List;

/** Told of a tree of records, on the loop: first a snapshot, then changes; after any gap a snapshot again. */
public interface Observer {

    /** All records of the tree. */
    void snapshot(List<Item> all);

    /** What has changed since. */
    void changed(List<Item> put, List<RecordKey> gone);
}
