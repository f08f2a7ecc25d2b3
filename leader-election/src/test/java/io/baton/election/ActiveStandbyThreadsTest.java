package io.baton.election;

import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
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
}
