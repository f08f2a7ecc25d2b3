package io.baton.zookeeper.wire;

import io.baton.spi.Loop;
import io.baton.spi.support.Background;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * Finds out whether the servers lack transactions that an own handle has seen, as after a restore from a backup or a
 * replacement. A server hangs up on such a client, and the library retries forever.
 *
 * <p>After a session timeout without contact, it probes the servers with a new handle, which has seen nothing. That
 * handle's session is committed after all that the first one has seen. So only servers without that history can be
 * behind. It runs on the loop; the probe has a thread of its own.
 */
final class RewindDetector {

    private final Loop loop;
    private final ZkAddress address;
    private final Settings settings;
    private final OwnHandle handle;
    private final Duration patience;
    private final Runnable found;
    private int contact;
    private boolean closed;

    /** Calls {@code found} if the servers are behind, once contact has been lost for {@code patience}. */
    RewindDetector(
            Loop loop, ZkAddress address, Settings settings, OwnHandle handle, Duration patience, Runnable found) {
        this.loop = loop;
        this.address = address;
        this.settings = settings;
        this.handle = handle;
        this.patience = patience;
        this.found = found;
    }

    void connected() {
        contact++;
    }

    void disconnected() {
        int now = ++contact;
        loop.after(patience, () -> ask(now));
    }

    void close() {
        closed = true;
    }

    private boolean stale(int begun) {
        return closed || begun != contact;
    }

    private void ask(int begun) {
        if (stale(begun)) {
            return;
        }
        if (Background.start("baton-zk-setback", () -> probed(begun, known() < handle.seen()))
                .isEmpty()) {
            loop.after(patience, () -> ask(begun));
        }
    }

    private void probed(int begun, boolean behind) {
        try {
            loop.execute(() -> {
                if (stale(begun)) {
                    return;
                }
                if (behind) {
                    found.run();
                } else {
                    loop.after(patience, () -> ask(begun));
                }
            });
        } catch (RejectedExecutionException over) {
            // The coordinator has been closed.
        }
    }

    /** Returns the servers' last zxid; the largest number if they do not answer. Blocks. */
    private long known() {
        var connected = new CountDownLatch(1);
        var synced = new CountDownLatch(1);
        long known = Long.MAX_VALUE;
        try {
            OwnHandle asking = OwnHandle.open(
                    address.hosts(),
                    patience,
                    loop::nanoTime,
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    settings.client());
            if (await(connected)) {
                // The sync brings the server up to its leader first.
                AsyncCallback.VoidCallback done = (code, path, context) -> {
                    if (code == Code.OK.intValue()) {
                        synced.countDown();
                    }
                };
                asking.sync("/", done, null);
                known = await(synced) ? asking.seen() : known;
            }
            asking.end(ended -> {});
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        } catch (Throwable noClient) {
            return known; // this machine may be short of threads or memory; the next attempt may succeed
        }
        return known;
    }

    private boolean await(CountDownLatch latch) throws InterruptedException {
        return latch.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }
}
