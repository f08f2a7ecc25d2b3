package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.EventLoop;
import io.baton.testkit.LongRun;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import io.baton.zookeeper.wire.LiveZkWire;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client that waits in thousands of lines, and holds a lock that no other client wants. */
@Timeout(300)
class AuditOfManyLinesIT {

    private static final int LINES = Integer.getInteger("baton.audit.lines", LongRun.rounds(1_000, 4_000));
    private static final int AUDITS = 3;
    private static final int AT_A_TIME = 64;
    private static final Duration TTL = CoordinatorOptions.defaults().ttl();

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private final AtomicReference<ZkSession> session = new AtomicReference<>();

    @Test
    void hold_whileThousandsOfLinesAreAudited_keepsHalfOfItsTime() throws Exception {
        try (EventLoop loop = new EventLoop("audited");
                Coordinator holder = Coordinator.connect(zookeeper.uri());
                Coordinator waiter = audited(loop)) {
            Hold quiet = waiter.lock("quiet").acquire();
            holdAll(holder);
            waitForAll(waiter);
            // Joining by the thousand is another matter: what it has delayed has been caught up with.
            await().atMost(60, SECONDS).until(() -> quiet.remaining().toMillis() > 0.7 * TTL.toMillis());
            var least = new AtomicReference<>(TTL);

            for (int audit = 0; audit < AUDITS; audit++) {
                long before = asked();
                loop.execute(() -> session.get().audit().runSoon());
                await().pollInterval(Duration.ofMillis(2)).atMost(60, SECONDS).until(() -> {
                    least.accumulateAndGet(quiet.remaining(), AuditOfManyLinesIT::less);
                    return asked() - before >= LINES;
                });
            }

            System.out.printf(
                    "%d audits of %d lines: the quiet hold had %d ms of %d left at least%n",
                    AUDITS, LINES, least.get().toMillis(), TTL.toMillis());
            // Its timing leaves a hold half of its time; the rest is room for a machine that is busy with other things.
            assertThat(least.get().toMillis()).isGreaterThan(TTL.toMillis() * 45 / 100);
            assertThat(quiet.state()).isEqualTo(HoldState.HELD);
        }
    }

    private static Duration less(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** The listings that the server has been asked for. */
    private static long asked() {
        return zookeeper.server().requests("getChildren");
    }

    private Coordinator audited(EventLoop loop) {
        ZkAddress address = ZkAddress.parse(URI.create(zookeeper.uri()));
        ZkStore store = new ZkStore(address, owner -> (timeout, events) -> {
            session.set((ZkSession) events);
            return LiveZkWire.to(address, Settings.NONE, owner).open(timeout, events);
        });
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, Runnable::run, CoordinatorOptions.defaults());
        client.ready().join();
        return client;
    }

    private static void holdAll(Coordinator holder) throws InterruptedException {
        var room = new Semaphore(AT_A_TIME);
        List<CompletableFuture<Hold>> held = new ArrayList<>();
        for (int i = 0; i < LINES; i++) {
            room.acquire();
            CompletableFuture<Hold> one = holder.lock("many-" + i).acquireAsync();
            one.whenComplete((hold, failure) -> room.release());
            held.add(one);
        }
        held.forEach(CompletableFuture::join);
    }

    private static void waitForAll(Coordinator waiter) {
        int before = zookeeper.server().contents().watches();
        for (int i = 0; i < LINES; i++) {
            var unused = waiter.lock("many-" + i).acquireAsync();
        }
        // Each watches the entry ahead, and its own.
        await().atMost(120, SECONDS).until(() -> zookeeper.server().contents().watches() >= before + 2 * LINES);
    }
}
