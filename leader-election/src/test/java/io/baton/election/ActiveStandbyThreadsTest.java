package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Op;
import io.baton.SessionState;
import io.baton.election.internal.line.ElectionLine;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes as applications use them, with real threads. */
@Timeout(60)
class ActiveStandbyThreadsTest {

    private static final Duration BUDGET = Duration.ofMillis(200);

    @BeforeEach
    void drop() {
        MemoryStore.drop("nodes");
    }

    private static CoordinatorOptions.Builder options() {
        return CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).closeTimeout(Duration.ofSeconds(2));
    }

    private static ActiveStandby.Builder node(Coordinator baton) {
        return ActiveStandby.builder(baton, "boss", "a")
                .onPromote(leadership -> {}, BUDGET)
                .onDemote(leadership -> {}, BUDGET)
                .withoutFencer("a test")
                .lastResort(stuck -> {});
    }

    @Test
    void hooks_throwWhatCannotBePrinted_failAsOthersThatThrow() throws Exception {
        AtomicBoolean broken = new AtomicBoolean(true);
        StandbyHook hook = leadership -> {
            if (broken.get()) {
                throw new Unprintable();
            }
        };
        try (Coordinator baton = Coordinator.connect("mem:nodes", options().build());
                ActiveStandby node = node(baton)
                        .onPromote(hook, BUDGET)
                        .onDemote(hook, BUDGET)
                        .start()) {
            await().until(() -> node.status().trouble().orElse("").contains(Unprintable.class.getName()));
            broken.set(false);

            await().until(() -> node.status().state() == ActiveStandby.State.ACTIVE);
        }
    }

    /** That an executor of the program's hangs must not keep a node out of the election. */
    @Test
    void health_badForAWhileAndNoCallbackEverRuns_isActiveAgain() throws Exception {
        AtomicBoolean healthy = new AtomicBoolean(true);
        LinkedBlockingQueue<Runnable> hung = new LinkedBlockingQueue<>();
        try (Coordinator baton =
                Coordinator.connect("mem:nodes", options().callbacks(hung::add).build())) {
            ActiveStandby node = node(baton)
                    .health(healthy::get)
                    .healthEvery(Duration.ofMillis(20), Duration.ofSeconds(1))
                    .healthAfter(1, 1)
                    .start();
            await().until(() -> node.status().state() == ActiveStandby.State.ACTIVE);
            healthy.set(false);
            await().until(() -> node.status().state() == ActiveStandby.State.STANDBY);
            healthy.set(true);

            await().until(() -> node.status().state() == ActiveStandby.State.ACTIVE);
            node.close();
        }
    }

    @Test
    void coordinator_closedAndAHookOutlivesIt_isClosedOnceThatReturns() throws Exception {
        CountDownLatch demotes = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        Coordinator baton = Coordinator.connect("mem:nodes", options().build());
        StandbyHook slow = leadership -> {
            demotes.countDown();
            Uninterrupted.await(released);
        };
        ActiveStandby node = node(baton).onDemote(slow, BUDGET).start();
        await().until(() -> node.status().state() == ActiveStandby.State.ACTIVE);
        CompletableFuture<Void> closed = node.closeAsync();
        assertThat(demotes.await(30, TimeUnit.SECONDS)).isTrue();

        baton.close();
        await().until(() -> !ElectionLine.named(baton, "boss").loop().post(() -> {}));
        CompletableFuture<Void> closedAgain = node.closeAsync();
        assertThat(closedAgain).failsWithin(BUDGET).withThrowableOfType(TimeoutException.class);
        assertThat(closed).isNotDone();
        released.countDown();

        closedAgain.get(30, TimeUnit.SECONDS);
        closed.get(30, TimeUnit.SECONDS);
        assertThat(node.status().state()).isEqualTo(ActiveStandby.State.CLOSED);
    }

    @Test
    void coordinator_closedWhileTheBreadcrumbCannotBeRemoved_isClosedWithIt() throws Exception {
        HoldingStore mute = new HoldingStore(MemoryStore.named("nodes"), ActiveStandbyThreadsTest::removesABreadcrumb);
        Coordinator baton = Coordinator.connect(mute.store(), options().build());
        // It has the whole time of the coordinator's close, so that it still tries when that is over.
        Duration grace = Duration.ofMillis(350);
        StandbyHook untilThen = leadership -> await().until(() -> baton.state() == SessionState.CLOSED);
        ActiveStandby node =
                node(baton).onDemote(untilThen, BUDGET).interruptGrace(grace).start();
        await().until(() -> node.status().state() == ActiveStandby.State.ACTIVE);
        CompletableFuture<Void> closed = node.closeAsync();

        baton.close();

        closed.get(30, TimeUnit.SECONDS);
        assertThat(node.status().state()).isEqualTo(ActiveStandby.State.CLOSED);
    }

    private static boolean removesABreadcrumb(Op op) {
        return op instanceof Op.Delete && op.key().tree().equals(ActiveStandby.BREADCRUMBS);
    }
}
