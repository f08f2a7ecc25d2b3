package io.baton.cli.elect;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.cli.StoreOption;
import io.baton.election.LeaderElection;
import io.baton.zookeeper.ZooKeeperDialects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The path of the election, if not the one that its name implies: {@code --at}. */
public final class ElectionPlace {

    @Option(
            names = "--at",
            paramLabel = "PATH",
            description =
                    "The election is at exactly this path, from the store's root, to share it with clients that do not"
                            + " use baton: Curator's LeaderLatch on ZooKeeper; on etcd the name that 'etcdctl elect' is"
                            + " given, with or without a slash in front. NAME is only the label used in messages and in"
                            + " BATON_NAME. Of a candidate nothing but the id is stored there.")
    @Nullable
    String path;

    /** For the command line parser. */
    public ElectionPlace() {}

    /**
     * Checks the options before any request to the store.
     *
     * @throws IllegalArgumentException if the store cannot have such a path
     */
    public void check(StoreOption store) {
        if (path != null) {
            store.checkPath(path);
        }
    }

    /** Whether a path is given. */
    public boolean given() {
        return path != null;
    }

    /** The election. */
    public LeaderElection election(Coordinator baton, StoreOption store, String name) {
        if (path == null) {
            return LeaderElection.named(baton, name);
        }
        return LeaderElection.at(baton, path, store.zookeeper() ? ZooKeeperDialects.CURATOR_LATCH : Dialect.BATON);
    }
}
