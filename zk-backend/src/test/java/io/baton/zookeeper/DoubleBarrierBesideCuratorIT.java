package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.retry.RetryForever;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * One party of two waits to enter a double barrier, and its connection breaks and comes back: by Curator's
 * {@code DistributedDoubleBarrier} it enters alone (apache/curator#1290), by ours it waits on.
 *
 * <p>Curator's timed {@code enter} waits once and does not count the members again. Its watcher wakes it at each event of
 * the session. It throws if the connection is broken then, and passes if it has come back. Here the thread that hands
 * these events on is slow, so that it is always back. If a later Curator waits on, its test here fails and can go.
 */
@Timeout(120)
class DoubleBarrierBesideCuratorIT {

    private static final int SESSION_MILLIS = 30_000;

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private TcpProxy proxy;

    @BeforeEach
    void start() {
        proxy = TcpProxy.to(zookeeper.server().address());
    }

    @AfterEach
    void stop() {
        proxy.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    @Test
    void curators_connectionComesBack_entersAlone() throws Exception {
        BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
        try (CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString("127.0.0.1:" + proxy.port())
                .sessionTimeoutMs(SESSION_MILLIS)
                .retryPolicy(new RetryForever(100))
                .runSafeService(events::add)
                .build()) {
            client.start();
            client.blockUntilConnected();
            String path = zookeeper.chroot() + "/theirs";
            CompletableFuture<Boolean> entered = new CompletableFuture<>();
            Thread party = new Thread(() -> enter(new DistributedDoubleBarrier(client, path, 2), entered));
            party.start();
            soon().until(() -> waitsInside(party));

            proxy.cut();
            soon().until(() -> events.size() >= 2 && client.getZookeeperClient().isConnected());
            assertThat(entered).isNotDone();
            events.forEach(Runnable::run);

            assertThat(entered.get(30, SECONDS)).isTrue();
            assertThat(client.getChildren().forPath(path)).as("members inside").hasSize(1);
        }
    }

    private static void enter(DistributedDoubleBarrier barrier, CompletableFuture<Boolean> entered) {
        try {
            entered.complete(barrier.enter(10, TimeUnit.MINUTES));
        } catch (Exception failed) {
            entered.completeExceptionally(new CompletionException(failed));
        }
    }

    private static boolean waitsInside(Thread party) {
        return party.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(party.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("internalEnter"));
    }

    @Test
    void ours_connectionComesBackAgainAndAgain_waitsForTheOther() throws Exception {
        var options = CoordinatorOptions.builder().ttl(Duration.ofMillis(SESSION_MILLIS));
        try (Coordinator broken =
                        Coordinator.connect(zookeeper.server().uri(proxy, zookeeper.chroot()), options.build());
                Coordinator other = Coordinator.connect(zookeeper.uri(), options.build())) {
            CompletableFuture<DoubleBarrierRound> entering =
                    DoubleBarrier.named(broken, "ours", 2).enterAsync();
            var states = new LinkedBlockingQueue<SessionState>();
            broken.onState(states::add);
            for (int i = 0; i < 3; i++) {
                soon().until(() -> broken.state() == SessionState.CONNECTED);
                states.clear();
                proxy.cut();
                soon().until(() -> states.contains(SessionState.SUSPENDED));
            }
            soon().until(() -> broken.state() == SessionState.CONNECTED);
            assertThat(entering).isNotDone();

            DoubleBarrierRound round = DoubleBarrier.named(other, "ours", 2)
                    .enter(Duration.ofSeconds(60))
                    .orThrow();

            assertThat(entering.get(30, SECONDS).entry().parties())
                    .isEqualTo(round.entry().parties())
                    .hasSize(2);
        }
    }
}
