package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.memory.MemoryStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WatchingTest {

    @AfterEach
    void drop() {
        MemoryStore.drop("watching");
    }

    @Test
    void telemetry_locksOfAGroup_countAsOne() throws InterruptedException {
        var registry = new SimpleMeterRegistry();
        try (Coordinator baton = Coordinator.connect("mem:watching", Watching.options(registry))) {
            baton.lock("order-17").acquire().close();
            baton.lock("order-18").acquire().close();
        }

        assertThat(registry.get("baton.lock.wait")
                        .tags("lock", "order", "outcome", "granted")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void problems_contactLostAndRegained_areThereMeanwhile() throws InterruptedException {
        var options = CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
        try (Coordinator baton = Coordinator.connect("mem:watching", options)) {
            assertThat(Watching.problems(baton)).isEmpty();

            MemoryStore.named("watching").suspend();
            soon().until(() -> Watching.problems(baton).contains("the session is SUSPENDED"));
            soon().until(() -> mention(Watching.problems(baton), "Out of contact"));

            MemoryStore.named("watching").resume();
            soon().until(() -> Watching.problems(baton).isEmpty());
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private static boolean mention(List<String> problems, String what) {
        return problems.stream().anyMatch(problem -> problem.startsWith(what));
    }
}
