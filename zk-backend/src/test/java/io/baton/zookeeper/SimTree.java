package io.baton.zookeeper;

import io.baton.zookeeper.wire.ZkWire.Change;
import io.baton.zookeeper.wire.ZkWire.Node;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one simulated server has: znodes, and sessions with their timeouts. */
final class SimTree {

    private final Map<String, Znode> nodes = new HashMap<>();
    private final Map<Long, Long> sessions = new LinkedHashMap<>();

    SimTree() {
        nodes.put("/", new Znode("/", new byte[0], 0, 0, 0, 0, 0, 0, false, Set.of()));
    }

    SimTree(SimTree other) {
        nodes.putAll(other.nodes);
        sessions.putAll(other.sessions);
    }

    /** A part of a committed transaction, with nothing left to decide. */
    sealed interface Edit {
        String path();

        /** @param made what the children of the new node are numbered from */
        record Make(String path, byte[] data, long owner, boolean container, int made) implements Edit {}

        record Write(String path, byte[] data) implements Edit {}

        record Remove(String path) implements Edit {}
    }

    /**
     * One node; {@code made} counts the children ever made, which is what sequential names are numbered by. At its end it
     * stands still, as the real one does.
     */
    record Znode(
            String path,
            byte[] data,
            long czxid,
            long mzxid,
            long pzxid,
            int version,
            int made,
            long owner,
            boolean container,
            Set<String> children) {

        Node asNode() {
            return new Node(path, data, czxid, mzxid, pzxid, version, children.size(), made, owner);
        }

        Znode with(int newMade, Set<String> newChildren, long zxid) {
            return new Znode(path, data, czxid, mzxid, zxid, version, newMade, owner, container, newChildren);
        }
    }

    /** The sessions that have been opened and not been ended, with their timeouts in nanoseconds. */
    Map<Long, Long> sessions() {
        return sessions;
    }

    @Nullable
    Znode find(String path) {
        return nodes.get(path);
    }

    /** Paths of the nodes that vanish with this session. */
    List<String> ephemeralsOf(long session) {
        return nodes.values().stream()
                .filter(node -> node.owner == session)
                .map(Znode::path)
                .sorted()
                .toList();
    }

    /** Containers that had children and have none now. */
    List<String> idleContainers() {
        return nodes.values().stream()
                .filter(node -> node.container && node.made > 0 && node.children.isEmpty())
                .map(Znode::path)
                .sorted()
                .toList();
    }

    /** Applies a transaction that was decided upon this very state. */
    void apply(SimZkTxn txn) {
        for (Edit edit : txn.edits()) {
            apply(edit, txn.zxid());
        }
        if (txn.opensSession()) {
            sessions.put(txn.session(), txn.timeout());
        } else if (txn.closesSession()) {
            sessions.remove(txn.session());
        }
    }

    /** Applies an edit that is known to fit, and returns what takes it back. */
    Runnable apply(Edit edit, long zxid) {
        String path = edit.path();
        Znode before = nodes.get(path);
        if (edit instanceof Edit.Write write) {
            Znode was = required(path);
            nodes.put(
                    path,
                    new Znode(
                            path,
                            write.data(),
                            was.czxid,
                            zxid,
                            was.pzxid,
                            was.version + 1,
                            was.made,
                            was.owner,
                            was.container,
                            was.children));
            return () -> nodes.put(path, was);
        }
        String parentPath = parentOf(path);
        Znode parent = required(parentPath);
        var children = new HashSet<>(parent.children);
        if (edit instanceof Edit.Make make) {
            children.add(nameOf(path));
            nodes.put(
                    path,
                    new Znode(
                            path,
                            make.data(),
                            zxid,
                            zxid,
                            zxid,
                            0,
                            make.made(),
                            make.owner(),
                            make.container(),
                            Set.of()));
            nodes.put(
                    parentPath,
                    parent.with(parent.made == Integer.MAX_VALUE ? parent.made : parent.made + 1, children, zxid));
        } else {
            children.remove(nameOf(path));
            nodes.remove(path);
            nodes.put(parentPath, parent.with(parent.made, children, zxid));
        }
        return () -> {
            nodes.put(parentPath, parent);
            if (before == null) {
                nodes.remove(path);
            } else {
                nodes.put(path, before);
            }
        };
    }

    /** What watchers of the path are told of an edit. */
    static Change changeOf(Edit edit) {
        if (edit instanceof Edit.Make) {
            return Change.CREATED;
        }
        return edit instanceof Edit.Write ? Change.WRITTEN : Change.DELETED;
    }

    /** Whether the path or one of its ancestors is among these, as a recursive watch is looked for. */
    static boolean isBelow(String path, Set<String> followed) {
        if (followed.isEmpty()) {
            return false;
        }
        String at = path;
        while (!followed.contains(at) && !at.equals("/")) {
            at = parentOf(at);
        }
        return followed.contains(at);
    }

    static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash == 0 ? "/" : path.substring(0, slash);
    }

    private Znode required(String path) {
        Znode node = nodes.get(path);
        if (node == null) {
            throw new AssertionError("the model has no " + path);
        }
        return node;
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
