package io.baton.spi;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import java.util.List;

/** Told of a tree of records, on the loop: first a snapshot, then changes; after any gap a snapshot again. */
public interface TreeListener {

    /** All records of the tree, as they were together at this position. */
    void snapshot(List<Item> all, Position at);

    /**
     * What has changed since: one or several revisions, of which each is in it as a whole. With it applied, the records
     * are what they were together at this revision.
     */
    void changed(List<Item> put, List<RecordKey> deleted, long revision);
}
