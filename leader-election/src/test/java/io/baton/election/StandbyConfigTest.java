package io.baton.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.memory.MemoryStore;
import io.baton.testkit.sim.LossyStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is refused, and what is computed. */
class StandbyConfigTest {

    private Coordinator baton;

    @BeforeEach
    void connect() throws InterruptedException {
        MemoryStore.drop("standby-config");
        baton = Coordinator.connect(
                "mem:standby-config",
                CoordinatorOptions.builder()
                        .ttl(Duration.ofSeconds(6))
                        .closeTimeout(Duration.ofSeconds(10))
                        .build());
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void build_demotionThatDoesNotFitIntoTheTtl_isRefusedWithWhatWould() {
        assertThatThrownBy(() -> valid().onDemote(leadership -> {}, Duration.ofMillis(2401))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("could still run", "onDemote", "ttl", "6002 ms");
        assertThat(valid().onDemote(leadership -> {}, Duration.ofMillis(2400)).build())
                .isNotNull();
    }

    @Test
    void build_demotionThatTheCoordinatorsCloseDoesNotWaitFor_isRefused() throws Exception {
        try (Coordinator hasty = Coordinator.connect(
                "mem:standby-config",
                CoordinatorOptions.builder().closeTimeout(Duration.ofSeconds(2)).build())) {
            assertThatThrownBy(() -> ActiveStandby.builder(hasty, "ledger", "a")
                            .onPromote(leadership -> {}, Duration.ofSeconds(1))
                            .onDemote(leadership -> {}, Duration.ofSeconds(1))
                            .withoutFencer("a test")
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("could still run", "closeTimeout", "3200 ms");
        }
    }

    @Test
    void build_missingOrSenseless_isRefused() {
        var bare = ActiveStandby.builder(baton, "ledger", "a");
        assertThatThrownBy(bare::build).hasMessageContaining("withoutFencer");
        bare.withoutFencer("a test");
        assertThatThrownBy(bare::build).hasMessageContaining("onPromote");
        bare.onPromote(leadership -> {}, Duration.ofSeconds(1));
        assertThatThrownBy(bare::build).hasMessageContaining("onDemote");

        assertThatThrownBy(() -> valid().withoutFencer("both").build()).hasMessageContaining("not both");
        assertThatThrownBy(
                        () -> valid().onPromote(leadership -> {}, Duration.ZERO).build())
                .hasMessageContaining("budget of onPromote");
        assertThatThrownBy(() -> valid().fencer(last -> {}, Duration.ofDays(2)).build())
                .hasMessageContaining("budget of fencer");
        assertThatThrownBy(() -> valid().healthEvery(Duration.ZERO, Duration.ofSeconds(1))
                        .build())
                .hasMessageContaining("healthEvery");
        assertThatThrownBy(() -> valid().healthAfter(0, 1).build()).hasMessageContaining("healthAfter");
        assertThatThrownBy(() -> valid().fencingAttempts(0).build()).hasMessageContaining("fencingAttempts");
        assertThatThrownBy(() -> valid().interruptGrace(Duration.ofSeconds(-1)).build())
                .hasMessageContaining("interruptGrace");
        assertThatThrownBy(() -> valid().metadata("k", "x".repeat(8150)).build())
                .hasMessageContaining("metadata");
        assertThatThrownBy(() -> valid().address("x".repeat(600)).build()).hasMessageContaining("address");
        assertThatThrownBy(() -> ActiveStandby.builder(baton, "ledger", " ")
                        .onPromote(leadership -> {}, Duration.ofSeconds(1))
                        .onDemote(leadership -> {}, Duration.ofSeconds(1))
                        .withoutFencer("a test")
                        .build())
                .hasMessageContaining("id");
    }

    @Test
    void describe_withEverything_addsUpTheWorstCase() {
        String text = valid().health(() -> true).build().describe();

        assertThat(text)
                .contains("node 'a' of 'ledger', at here:80")
                .contains("ttl 6 s")
                .contains(
                        "killed, frozen or cut off: 23.5 s = detection and expiry 8.5 s + fencing 10 s + promotion 5 s")
                .contains("unhealthy: 13.6 s = detection 7 s + demotion 1.6 s + promotion 5 s")
                .contains("closed: 6.6 s = demotion 1.6 s + promotion 5 s")
                .contains("A new leader among the servers begins expiry anew");
    }

    @Test
    void describe_withoutFencer_saysWhatThatMeans() {
        String text = ActiveStandby.builder(baton, "ledger", "a")
                .onPromote(leadership -> {}, Duration.ofSeconds(1))
                .onDemote(leadership -> {}, Duration.ofSeconds(1))
                .withoutFencer("writes carry the guard")
                .build()
                .describe();

        assertThat(text).contains("none (writes carry the guard)", "frozen").doesNotContain("+ fencing");
    }

    private ActiveStandby.Builder valid() {
        return ActiveStandby.builder(baton, "ledger", "a")
                .address("here:80")
                .onPromote(leadership -> {}, Duration.ofSeconds(5))
                .onDemote(leadership -> {}, Duration.ofSeconds(1))
                .fencer(last -> {}, Duration.ofSeconds(10));
    }

    @Test
    void build_storeThatMayLoseABreadcrumb_isRefusedUnlessThatIsAccepted() throws Exception {
        var lossy = new LossyStore(MemoryStore.named("standby-config"));
        CoordinatorOptions.Builder options = CoordinatorOptions.builder().closeTimeout(Duration.ofSeconds(10));
        try (Coordinator wary = Coordinator.connect(lossy, options.build());
                Coordinator bold =
                        Coordinator.connect(lossy, options.acceptLoss(true).build())) {
            assertThatThrownBy(() -> node(wary).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("breadcrumb", "may lose the latest writes", "acceptLoss(true)");
            assertThat(node(bold).build()).isNotNull();
        }
    }

    private static ActiveStandby.Builder node(Coordinator coordinator) {
        return ActiveStandby.builder(coordinator, "ledger", "a")
                .onPromote(leadership -> {}, Duration.ofSeconds(1))
                .onDemote(leadership -> {}, Duration.ofSeconds(1))
                .withoutFencer("a test");
    }
}
