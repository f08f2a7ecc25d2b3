package io.baton.zookeeper;

import io.baton.Item;
import io.baton.RecordKey;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;

/** Reads records: the tree's root first, then the record, back to back. */
final class RecordReader {

    /** What became of a reading. */
    interface Result {
        void accept(Code code, Optional<Item> item);
    }

    private final ZkSession session;

    RecordReader(ZkSession session) {
        this.session = session;
    }

    /** Reads one record; an absent one is {@code OK} and empty. */
    void read(RecordKey key, Result result) {
        int[] rootVersion = {-1};
        session.wire().read(session.tree().recordsRoot(key.tree()), (code, root) -> {
            if (root != null) {
                rootVersion[0] = root.version();
            }
        });
        read(key, rootVersion, result);
    }

    /** Reads one record of a tree whose root's version is known by the time of the answer. */
    void read(RecordKey key, int[] rootVersion, Result result) {
        session.wire().read(session.tree().recordPath(key), (code, node) -> {
            if (code == Code.OK && node != null && rootVersion[0] >= 0) {
                var revision = new ZkRevision(node, rootVersion[0]);
                result.accept(code, Optional.of(new Item(key, node.data(), revision)));
            } else {
                // A record without a root above it was created while we read: as good as absent.
                result.accept(code == Code.NONODE ? Code.OK : code, Optional.empty());
            }
        });
    }
}
