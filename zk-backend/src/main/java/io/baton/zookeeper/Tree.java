package io.baton.zookeeper;

import io.baton.RecordKey;
import io.baton.spi.Names;
import io.baton.zookeeper.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The nodes that everything else lies below: the chroot and the trees in it persist, a line is a container, which the
 * server removes once it has stood empty for a while.
 */
final class Tree {

    private static final byte[] EMPTY = {};

    private final ZkSession session;

    Tree(ZkSession session) {
        this.session = session;
    }

    /** A check that asks nothing but whether the chroot is there: as a multi, a quorum commit. */
    List<ZkOp> rootCheck() {
        return List.of(new ZkOp.Check(session.address().root(), -1));
    }

    /** Makes the chroot, where it is missing. */
    void makeRoot(Consumer<Code> made) {
        make(parents(session.address().root()), CreateMode.PERSISTENT, made);
    }

    /** Makes a line and what is above it, where they are missing. */
    void makeLine(String line, Consumer<Code> made) {
        make(parents(session.address().path(line)), CreateMode.CONTAINER, made);
    }

    /** Makes a tree of records and what is above it, where they are missing. */
    void makeRecords(String tree, Consumer<Code> made) {
        make(parents(session.address().path(tree)), CreateMode.PERSISTENT, made);
    }

    /** The node that all records of a tree lie directly below; its version rises with each deletion in the tree. */
    String recordsRoot(String tree) {
        return session.address().path(tree);
    }

    String recordPath(RecordKey key) {
        return recordsRoot(key.tree()) + "/" + Names.encode(key.name());
    }

    private void make(List<String> paths, CreateMode last, Consumer<Code> made) {
        for (int i = 0; i < paths.size(); i++) {
            boolean end = i == paths.size() - 1;
            session.wire().create(paths.get(i), EMPTY, end ? last : CreateMode.PERSISTENT, (code, node) -> {
                if (end) {
                    made.accept(code);
                }
            });
        }
        if (paths.isEmpty()) {
            made.accept(Code.NODEEXISTS);
        }
    }

    private static List<String> parents(String path) {
        var paths = new ArrayList<String>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            paths.add(path.substring(0, slash));
        }
        if (path.length() > 1) {
            paths.add(path);
        }
        return paths;
    }
}
