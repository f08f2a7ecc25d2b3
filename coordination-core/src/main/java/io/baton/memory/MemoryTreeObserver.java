package io.baton.memory;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.TreeListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One client's observation of a tree of records. Changes made while out of contact arrive as a snapshot. */
final class MemoryTreeObserver {

    private static final String HISTORY = "mem";

    private final String tree;
    private final TreeListener to;
    private final Lease lease;
    private final Values values;

    /** On the client's loop. */
    private boolean stopped;

    MemoryTreeObserver(String tree, TreeListener to, Lease lease, Values values) {
        this.tree = tree;
        this.to = to;
        this.lease = lease;
        this.values = values;
    }

    /** The listener is not called after this. On the loop. */
    void stop() {
        stopped = true;
    }

    boolean stopped() {
        return stopped;
    }

    /** Sends a snapshot. Under the store's lock. */
    void resync() {
        List<Item> all = values.tree(tree);
        Position at = new Position(HISTORY, values.revision());
        lease.deliver("snapshot", () -> {
            if (!stopped) {
                to.snapshot(all, at);
            }
        });
    }

    /** Sends those of these changes that belong to the tree. Under the store's lock. */
    void changed(Map<RecordKey, Optional<Item>> changes) {
        if (lease.isCut()) {
            return;
        }
        List<Item> put = new ArrayList<>();
        List<RecordKey> gone = new ArrayList<>();
        changes.forEach((key, now) -> {
            if (key.tree().equals(tree)) {
                now.ifPresentOrElse(put::add, () -> gone.add(key));
            }
        });
        if (put.isEmpty() && gone.isEmpty()) {
            return;
        }
        long revision = values.revision();
        lease.deliver("changed", () -> {
            if (!stopped) {
                to.changed(put, gone, revision);
            }
        });
    }
}
