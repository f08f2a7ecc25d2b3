package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.FleetState;
import io.baton.config.internal.rollout.FleetEntry;
import io.baton.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class FleetTest {

    private Coordinator baton;
    private Coordinator other;
    private ConfigStore config;

    @BeforeEach
    void open() throws InterruptedException {
        baton = client("member");
        other = client("operator");
        config = ConfigStore.of(other);
    }

    @AfterEach
    void close() {
        baton.close();
        other.close();
        MemoryStore.drop("fleet");
    }

    private static Coordinator client(String name) throws InterruptedException {
        return Coordinator.connect(
                "mem:fleet", CoordinatorOptions.builder().client(name).build());
    }

    private static FleetState applied(long change) {
        return new FleetState(ConfigSource.LIVE, change, change * 10, "", 0, true, "");
    }

    private List<Long> changes() throws InterruptedException {
        return config.fleet().stream().map(FleetMember::change).toList();
    }

    @Test
    void say_newsAfterNews_newestIsSeenOnce() throws InterruptedException {
        try (FleetEntry entry = FleetEntry.open(ConfigSpace.of(baton, "config"), "i-1", Map.of("zone", "z1"))) {
            assertThat(config.fleet()).isEmpty();
            for (int i = 1; i <= 500; i++) {
                entry.publish(applied(i));
            }

            await().until(() -> changes().equals(List.of(500L)));
            await().until(() -> MemoryStore.named("fleet").peers("config.fleet").size() == 1);
            FleetMember member = config.fleet().get(0);
            assertThat(member.id()).isEqualTo("i-1");
            assertThat(member.labels()).isEqualTo(Map.of("zone", "z1"));
            assertThat(member.source()).isEqualTo(ConfigSource.LIVE);
            assertThat(member.revision()).isEqualTo(5_000);
        }
        await().until(() -> config.fleet().isEmpty());
    }

    @Test
    void say_sessionLost_isSaidAgainInTheNext() {
        FleetEntry entry = FleetEntry.open(ConfigSpace.of(baton, "config"), "i-1", Map.of());
        entry.publish(applied(1));
        await().until(() -> changes().equals(List.of(1L)));

        MemoryStore.named("fleet").expireSessions("member");

        await().until(() -> config.fleet().isEmpty() || changes().equals(List.of(1L)));
        await().until(() -> changes().equals(List.of(1L)));
        entry.publish(applied(2));
        await().until(() -> changes().equals(List.of(2L)));
    }

    @Test
    void say_entryRemovedByHand_isSaidAgain() {
        FleetEntry entry = FleetEntry.open(ConfigSpace.of(baton, "config"), "i-1", Map.of());
        entry.publish(applied(1));
        await().until(() -> changes().equals(List.of(1L)));
        var peer = MemoryStore.named("fleet").peers("config.fleet").get(0);

        MemoryStore.named("fleet").removeEntry(peer);

        await().until(() ->
                MemoryStore.named("fleet").peers("config.fleet").stream().anyMatch(now -> !now.equals(peer)));
    }

    @Test
    void fleet_severalMembersAndRubbish_isSortedByName() {
        List<FleetEntry> entries = List.of("c", "a", "b").stream()
                .map(id -> FleetEntry.open(ConfigSpace.of(baton, "config"), id, Map.of()))
                .toList();
        entries.forEach(entry ->
                entry.publish(new FleetState(ConfigSource.CACHED, 1, 1, "", 0, true, "no: " + "x".repeat(5_000))));

        await().untilAsserted(() ->
                assertThat(config.fleet()).extracting(FleetMember::id).containsExactly("a", "b", "c"));
        await().untilAsserted(() -> assertThat(config.fleet())
                .allSatisfy(member -> assertThat(member.rejected()).hasSizeLessThan(500)));
        baton.close();
        await().until(() -> config.fleet().isEmpty());
    }

    @Test
    void open_nameOrLabelsTooLong_isRefused() {
        assertThatThrownBy(() -> FleetEntry.open(ConfigSpace.of(baton, "config"), "", Map.of()))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> FleetEntry.open(ConfigSpace.of(baton, "config"), "i", Map.of("a", "x".repeat(5_000))))
                .isInstanceOf(ConfigException.class);
    }
}
