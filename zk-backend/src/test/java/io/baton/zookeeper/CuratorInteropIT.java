package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Baton beside Apache Curator's {@code InterProcessMutex}. */
class CuratorInteropIT extends ForeignPeerContract {

    @Override
    Dialect dialect() {
        return ZooKeeperDialects.CURATOR;
    }

    @Override
    ForeignPeer peer(String path) throws Exception {
        return new CuratorPeer(zookeeper.server(), path, TTL);
    }

    /** The request is written into the entry, and uses up the watch of whoever waits for it to go. */
    @Test
    void acquire_peerAheadIsAskedToGiveWay_isStillWokenWhenItDoes() throws Exception {
        var peer = opened(new CuratorPeer(zookeeper.server(), path(), TTL));
        peer.acquire();
        String ahead = path() + "/" + children().get(0);
        DistributedLock lock = lock();
        int before = watches();
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        await().until(() -> watches() == before + 1);

        peer.askToRevoke(ahead);
        await().until(() -> watches() == before + 1); // again: it was gone when the request was answered
        assertThat(waiting).isNotDone();
        peer.release();

        waiting.get(30, SECONDS).close();
    }

    private static int watches() {
        return zookeeper.server().contents().watches();
    }
}
