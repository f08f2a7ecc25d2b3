package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.RecordKey;
import io.baton.spi.Names;
import io.baton.zookeeper.wire.Errors;
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

    /**
     * Whether a request that found no parent is sent again, once this is the code of making the parent. {@code NONODE}:
     * a node above was deleted meanwhile. With {@code create=no} that may be the chroot, which is not made again.
     */
    boolean goesOn(Code code) {
        return switch (code) {
            case OK, NODEEXISTS -> true;
            case NONODE -> session.address().create();
            default -> Errors.passes(code);
        };
    }

    /**
     * Calls {@code foreign} if the line's ACL differs from this client's, and {@code unseen} if the answer was lost, or
     * a busy server does not show it.
     */
    void checkAcl(String line, Consumer<CoordinationException> foreign, Runnable unseen) {
        String path = session.address().path(line);
        session.wire().foreignAcl(path, (code, difference) -> {
            if (difference != null) {
                foreign.accept(new CoordinationException("cannot stand in " + line + ": " + path + " has the ACL "
                        + difference + "; whoever joins a line must be able to read all of it, so give all its clients"
                        + " the same credentials or acl, or delete it while nobody uses it"));
            } else if (Errors.passes(code)) {
                unseen.run();
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

    /**
     * Creates the nodes, each below the one before it, and passes on the last one's code. If an upper node is missing
     * because it could not be created, that code is passed on instead of {@code NONODE}. Existing nodes may be refused,
     * too, which has no effect on those below.
     */
    private void make(List<String> paths, CreateMode last, Consumer<Code> made) {
        Code[] above = {Code.OK};
        for (int i = 0; i < paths.size(); i++) {
            boolean end = i == paths.size() - 1;
            session.wire().create(paths.get(i), EMPTY, end ? last : CreateMode.PERSISTENT, (code, node) -> {
                if (code != Code.NONODE) {
                    above[0] = code;
                }
                if (end) {
                    made.accept(code == Code.NONODE ? orReason(above[0]) : code);
                }
            });
        }
        if (paths.isEmpty()) {
            made.accept(Code.NODEEXISTS);
        }
    }

    /** Returns why a node could not be created; {@code NONODE} if it was there, and has been deleted since. */
    private static Code orReason(Code above) {
        return above == Code.OK || above == Code.NODEEXISTS ? Code.NONODE : above;
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
