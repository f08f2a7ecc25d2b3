package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.ReleaseRequest;
import io.baton.Released;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
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
        await().until(() -> watches() == before + 2); // on the entry ahead, and on its own

        peer.askToRevoke(ahead);
        await().until(() -> watches() == before + 2); // again: it was gone when the request was answered
        assertThat(waiting).isNotDone();
        peer.release();

        waiting.get(30, SECONDS).close();
    }

    @Test
    void requestRelease_ofCuratorsHolder_callsItsListener() throws Exception {
        var peer = opened(new CuratorPeer(zookeeper.server(), path(), TTL));
        peer.releaseWhenAsked();
        peer.acquire();

        Released answer = lock().requestRelease("the nightly run is due", Duration.ofSeconds(30))
                .get(30, SECONDS);

        assertThat(answer.outcome()).isEqualTo(Released.Outcome.RELEASED);
        lock().acquire().close();
    }

    @Test
    void onReleaseRequested_curatorsRevokerAsks_isToldAndMayRelease() throws Exception {
        var peer = opened(new CuratorPeer(zookeeper.server(), path(), TTL));
        Hold hold = lock().acquire();
        List<ReleaseRequest> heard = new CopyOnWriteArrayList<>();
        hold.onReleaseRequested(heard::add);
        String entry = path() + "/" + children().get(0);

        peer.askToRevoke(entry);
        await().until(() -> heard.size() == 1);
        assertThat(heard.get(0).by()).isEqualTo("another program");
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        peer.askToRevoke(entry);
        await().until(() -> heard.size() == 2);

        hold.close();
        peer.acquire();
        peer.release();
    }

    private static int watches() {
        return zookeeper.server().contents().watches();
    }
}
