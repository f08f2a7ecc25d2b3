package io.baton.benchmarks.scale;

import java.net.InetSocketAddress;

/** On which store. */
enum ScaleStore {

    /** A ZooKeeper answers no request whose answer is longer than about a megabyte. */
    ZOOKEEPER("zk", true) {
        @Override
        RawClient rawClient(InetSocketAddress server) throws Exception {
            return new ZooKeeperRawClient(server);
        }
    },

    /** An etcd answers in pages. */
    ETCD("etcd", false) {
        @Override
        RawClient rawClient(InetSocketAddress server) {
            return new EtcdRawClient(server);
        }
    };

    private final String scheme;
    private final boolean refusesLongLines;

    ScaleStore(String scheme, boolean refusesLongLines) {
        this.scheme = scheme;
        this.refusesLongLines = refusesLongLines;
    }

    /** As in the store's URIs. */
    String scheme() {
        return scheme;
    }

    /** Whether a line of 20,000 entries is too long to be listed. */
    boolean refusesLongLines() {
        return refusesLongLines;
    }

    /** For {@code Coordinator.connect}, through whatever listens there. */
    String uri(InetSocketAddress address) {
        return scheme + "://" + servers(address) + RawClient.ROOT;
    }

    /** As other clients want it. */
    static String servers(InetSocketAddress address) {
        return "127.0.0.1:" + address.getPort();
    }

    abstract RawClient rawClient(InetSocketAddress server) throws Exception;
}
