package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.RecordKey;
import io.baton.config.Canary;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.baton.config.Rig;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who takes a canary back once its time is over. */
class CanaryEndTest {

    private final Rig rig = new Rig("canaryend");
    private final ConfigSpace space = ConfigSpace.of(rig.client("operator"), "config");
    private final ConfigStore store = ConfigStore.of(rig.client("operator"));

    @Test
    void canary_cutOffWhenItsTimeIsOverAndForLong_isTakenBackOnceInContact() {
        try (LiveConfig chosen = rig.open(rig.builder().instance("i1"))) {
            begin();

            rig.cutFor(Duration.ofMinutes(2), () -> {});
            rig.pass(Duration.ofMinutes(1));

            assertThat(isThere()).isFalse();
            assertThat(chosen.status().canary()).isEmpty();
        }
    }

    @Test
    void canary_chosenInstanceIsGone_anotherOneTakesItBack() {
        LiveConfig chosen = rig.open(rig.builder().instance("i1").label("zone", "east"));
        LiveConfig other = rig.open(rig.builder().instance("i2").label("zone", "west"));
        CompletableFuture<Canary> begun =
                store.edit().put("a", "2").canaryAsync(Map.of("zone", "east"), 100, Duration.ofSeconds(20));
        rig.pass(Duration.ofSeconds(1));
        begun.join();
        chosen.close();
        rig.pass(Duration.ofMinutes(1));

        assertThat(isThere()).isFalse();
        other.close();
    }

    private void begin() {
        CompletableFuture<Canary> begun = store.edit().put("a", "2").canaryAsync(Map.of(), 100, Duration.ofSeconds(20));
        rig.pass(Duration.ofSeconds(1));
        begun.join();
        assertThat(isThere()).isTrue();
    }

    private boolean isThere() {
        var read = space.read(new RecordKey("config", CanaryRecord.KEY)).toCompletableFuture();
        rig.pass(Duration.ZERO);
        return read.join().isPresent();
    }
}
