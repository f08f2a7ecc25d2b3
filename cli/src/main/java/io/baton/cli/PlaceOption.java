package io.baton.cli;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.zookeeper.ZooKeeperDialects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The path of the lock, if not the one that its name implies: {@code --at}. */
public final class PlaceOption {

    /** Clients that can share a lock with Baton. */
    enum Peers {
        curator,
        kazoo;

        Dialect dialect() {
            return switch (this) {
                case curator -> ZooKeeperDialects.CURATOR;
                case kazoo -> ZooKeeperDialects.KAZOO;
            };
        }
    }

    @Option(
            names = "--at",
            paramLabel = "PATH",
            description =
                    "The lock is at exactly this path, from the store's root, to share it with clients that do not"
                            + " use baton; on etcd the name that 'etcdctl lock' is given, with or without a slash in"
                            + " front. NAME is only the label used in messages and in BATON_NAME.")
    @Nullable
    String path;

    @Option(
            names = "--dialect",
            paramLabel = "PEERS",
            description = "With --at on ZooKeeper, whose lock it is: ${COMPLETION-CANDIDATES}. Default: curator.")
    @Nullable
    Peers peers;

    /** For the command line parser. */
    public PlaceOption() {}

    /** Whether a path is given. */
    public boolean given() {
        return path != null;
    }

    /**
     * Checks the options before any request to the store.
     *
     * @throws Failure if they are invalid
     * @throws IllegalArgumentException if the store cannot have such a path
     */
    public void check(StoreOption store) {
        if (peers != null && path == null) {
            throw Failure.usage("--dialect goes with --at: a lock that is found by its name is baton's own");
        }
        if (path != null) {
            store.checkPath(path);
        }
    }

    /**
     * Returns the lock. At a path, the default dialect is Curator's on ZooKeeper, and that of etcd's own clients on
     * etcd.
     */
    public DistributedLock lock(Coordinator baton, String name) {
        if (path == null) {
            return baton.lock(name);
        }
        return baton.lockAt(path, dialect());
    }

    /** Returns the read/write lock; at a path, with the same default dialect. */
    public DistributedReadWriteLock readWriteLock(Coordinator baton, String name) {
        if (path == null) {
            return baton.readWriteLock(name);
        }
        return baton.readWriteLockAt(path, dialect());
    }

    private Dialect dialect() {
        return peers == null ? Dialect.BATON : peers.dialect();
    }
}
