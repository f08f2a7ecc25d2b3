package io.baton.chaos.election;

/** The stores on which there can be an election here. */
public enum SiteKind {
    /** One ZooKeeper server. */
    ZOOKEEPER {
        @Override
        public Site start() {
            return new ZooKeeperSite();
        }
    },
    /** One etcd server. */
    ETCD {
        @Override
        public Site start() {
            return new EtcdSite();
        }
    };

    /** Starts a server. */
    public abstract Site start();
}
