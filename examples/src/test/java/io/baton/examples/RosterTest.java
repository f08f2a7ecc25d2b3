package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;

class RosterTest {

    @Test
    void addresses_twoInstances_areThereUntilTheyClose() throws InterruptedException {
        try (Coordinator here = Coordinator.connect("mem:roster");
                Coordinator there = Coordinator.connect("mem:roster");
                Roster first = Roster.join(here, "shop", "10.0.0.1")) {
            soon().until(() -> first.addresses().equals(List.of("10.0.0.1")));
            Roster second = Roster.join(there, "shop", "10.0.0.2");
            soon().until(() -> first.addresses().equals(List.of("10.0.0.1", "10.0.0.2")));

            second.close();

            assertThat(first.addresses()).containsExactly("10.0.0.1");
        }
    }

    @Test
    void addresses_sessionExpires_areThereAgainInTheNext() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:roster-expires");
                Roster roster = Roster.join(baton, "shop", "10.0.0.1")) {
            soon().until(() -> roster.addresses().equals(List.of("10.0.0.1")));
            MemoryStore store = MemoryStore.named("roster-expires");
            List<String> former = store.sessions();

            store.expireSessions();

            soon().until(() -> store.sessions().stream().noneMatch(former::contains)
                    && roster.addresses().equals(List.of("10.0.0.1")));
        }
    }

    /** A request fails while its session ends. */
    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30)).ignoreExceptions();
    }
}
