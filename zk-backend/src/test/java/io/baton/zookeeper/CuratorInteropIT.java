package io.baton.zookeeper;

import io.baton.Dialect;

/** Baton beside Apache Curator's {@code InterProcessMutex}. */
class CuratorInteropIT extends ForeignPeerContract {

    @Override
    Dialect dialect() {
        return Dialect.CURATOR;
    }

    @Override
    ForeignPeer peer(String path) throws Exception {
        return new CuratorPeer(zookeeper.server(), path, TTL);
    }
}
