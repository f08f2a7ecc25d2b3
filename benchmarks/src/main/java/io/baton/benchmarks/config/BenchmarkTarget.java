package io.baton.benchmarks.config;

/** On which store, and beside whom. */
enum BenchmarkTarget {

    /** ZooKeeper, beside Curator's cache. */
    ZOOKEEPER("zk", "CuratorCache") {
        @Override
        Writer writer(String servers) throws Exception {
            ZooKeeperWriter writer = new ZooKeeperWriter(servers);
            for (String space : new String[] {OURS, THEIRS}) {
                writer.prepare(space);
            }
            return writer;
        }

        @Override
        SpaceFollower peer(String servers) throws Exception {
            return new CuratorFollower(servers, THEIRS);
        }
    },

    /** etcd, beside jetcd's watch. */
    ETCD("etcd", "jetcd") {
        @Override
        Writer writer(String servers) {
            return new JetcdWriter(servers);
        }

        @Override
        SpaceFollower peer(String servers) throws Exception {
            return new JetcdFollower(servers, THEIRS);
        }
    };

    /** Where Baton looks. */
    static final String OURS = "/ours/config";

    /** Where the other one looks. */
    static final String THEIRS = "/theirs/config";

    private final String scheme;
    private final String peer;

    BenchmarkTarget(String scheme, String peer) {
        this.scheme = scheme;
        this.peer = peer;
    }

    /** As in the store's URIs. */
    String scheme() {
        return scheme;
    }

    /** Beside whom. */
    String peerName() {
        return peer;
    }

    abstract Writer writer(String servers) throws Exception;

    abstract SpaceFollower peer(String servers) throws Exception;

    /** Of Baton. */
    SpaceFollower baton(String servers) throws InterruptedException {
        return new BatonFollower(scheme + "://" + servers + "/ours");
    }
}
