package io.baton.zookeeper;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.zookeeper.wire.ZkWire;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/** Reads records: the tree's root first, then the record, sent back to back. */
final class RecordReader {

    /** Receives the result of a read. */
    interface Result<T> {
        void accept(Code code, Optional<T> record);
    }

    private final ZkSession session;

    RecordReader(ZkSession session) {
        this.session = session;
    }

    /** Reads one record. An absent one gives {@code OK} and empty. */
    void read(RecordKey key, Result<Item> result) {
        read(key, readRoot(key.tree()), result);
    }

    /** Reads the value of one record, for which the tree's root is not needed. An absent one gives {@code OK} and empty. */
    void readValue(RecordKey key, Result<byte[]> result) {
        session.wire()
                .read(
                        session.tree().recordPath(key),
                        (code, node) -> result.accept(
                                code == Code.NONODE ? Code.OK : code,
                                Optional.ofNullable(node).map(ZkWire.Node::data)));
    }

    /** Sends the read of a tree's root, for the records that are read after it. */
    Root readRoot(String tree) {
        var root = new Root();
        session.wire().read(session.tree().recordsRoot(tree), root);
        return root;
    }

    /** Reads one record of a tree whose root is being read. */
    void read(RecordKey key, Root root, Result<Item> result) {
        session.wire().read(session.tree().recordPath(key), (code, node) -> {
            if (root.code != Code.OK && root.code != Code.NONODE) {
                // Also if the connection broke in between: only the second read was sent on the next one.
                result.accept(root.code, Optional.empty());
            } else if (code == Code.OK && node != null && root.version >= 0) {
                var revision = new ZkRevision(node, root.version);
                result.accept(code, Optional.of(new Item(key, node.data(), revision)));
            } else {
                // A record without a root was created during the reads: it counts as absent.
                result.accept(code == Code.NONODE ? Code.OK : code, Optional.empty());
            }
        });
    }

    /** The result of reading a tree's root. It arrives before the answers of later reads. */
    static final class Root implements ZkWire.Reply<ZkWire.Node> {

        private Code code = Code.CONNECTIONLOSS;
        private int version = -1;

        @Override
        public void accept(Code answered, ZkWire.@Nullable Node node) {
            code = answered;
            if (node != null) {
                version = node.version();
            }
        }
    }
}
