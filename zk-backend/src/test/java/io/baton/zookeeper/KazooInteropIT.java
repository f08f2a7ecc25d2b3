package io.baton.zookeeper;

import io.baton.Dialect;
import org.junit.jupiter.api.Tag;

/** Baton beside kazoo's {@code Lock}. */
@Tag("kazoo")
class KazooInteropIT extends ForeignPeerContract {

    @Override
    Dialect dialect() {
        return ZooKeeperDialects.KAZOO;
    }

    @Override
    ForeignPeer peer(String path) throws Exception {
        return new KazooPeer(zookeeper.server(), path, TTL);
    }
}
