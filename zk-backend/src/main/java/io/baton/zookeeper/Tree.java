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
 * The nodes above lines and records. The chroot and the trees in it persist. A line is a container, which the server
 * removes some time after it has become empty, unless a session does so before ({@link EmptyLines}).
 */
final class Tree {

    private static final byte[] EMPTY = {};

    private final ZkSession session;

    Tree(ZkSession session) {
        this.session = session;
    }

    /** Checks only that the chroot exists. Sent as a multi, this is a quorum commit. */
    List<ZkOp> rootCheck() {
        return List.of(new ZkOp.Check(session.address().root(), -1));
    }

    /** Creates the chroot if it is missing and {@code create=no} is not set. */
    void makeRoot(Consumer<Code> made) {
        if (!session.address().create()) {
            made.accept(Code.NONODE);
            return;
        }
        make(parents(session.address().root()), CreateMode.PERSISTENT, made);
    }

    /** Creates a line, and its parents if needed. It tries the line alone first, as its parents mostly exist. */
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

    /** Calls {@code foreign} if the line's ACL differs from this client's. */
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

    /** Creates a tree of records and its parents, where they are missing. */
    void makeRecords(String tree, Consumer<Code> made) {
        make(parents(session.address().path(tree)), CreateMode.PERSISTENT, made);
    }

    /** The parent node of a tree's records. Its version rises with each deletion by Baton in the tree. */
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
