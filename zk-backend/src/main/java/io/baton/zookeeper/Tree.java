package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.RecordKey;
import io.baton.spi.Names;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/**
 * The nodes that everything else lies below: the chroot and the trees in it persist, a line is a container, which the
 * server removes once it has stood empty for a while, if no session does so before ({@link EmptyLines}).
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

    /** Makes the chroot, where it is missing and may be made. */
    void makeRoot(Consumer<Code> made) {
        if (!session.address().create()) {
            made.accept(Code.NONODE);
            return;
        }
        make(parents(session.address().root()), CreateMode.PERSISTENT, made);
    }

    /** Makes a line and what is above it, where they are missing; what is above it mostly is not. */
    void makeLine(String line, Consumer<Code> made) {
        String path = session.address().path(line);
        session.wire().create(path, EMPTY, CreateMode.CONTAINER, (code, node) -> {
            if (code == Code.NONODE) {
                make(parents(path), CreateMode.CONTAINER, made);
            } else {
                made.accept(code);
            }
        });
    }

    /** Looks whether a line has the ACL that we would give it, and tells if it has not. */
    void checkAcl(String line, Consumer<CoordinationException> foreign) {
        String path = session.address().path(line);
        session.wire().foreignAcl(path, (code, difference) -> {
            if (difference != null) {
                foreign.accept(new CoordinationException("cannot stand in " + line + ": " + path + " has the ACL "
                        + difference + "; whoever joins a line must be able to read all of it, so give all its clients"
                        + " the same credentials or acl, or delete it while nobody uses it"));
            }
        });
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

    private List<String> parents(String path) {
        var paths = new ArrayList<String>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            paths.add(path.substring(0, slash));
        }
        if (path.length() > 1) {
            paths.add(path);
        }
        if (!session.address().create()) {
            String chroot = session.address().chroot();
            paths.removeIf(above -> (chroot + "/").startsWith(above + "/"));
        }
        return paths;
    }
}
