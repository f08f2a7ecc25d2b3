package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.Rig;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How long a canary is tried here. */
class CanaryClockTest {

    private final Rig rig = new Rig("canaryclock");
    private final List<String> over = new ArrayList<>();
    private final CanaryClock clock =
            new CanaryClock(ConfigSpace.of(rig.client("app"), "config").loop(), over::add);

    private static CanaryRecord canary(String id, int minutes) {
        return new CanaryRecord(
                1,
                id,
                "me",
                "",
                Instant.EPOCH,
                Duration.ofMinutes(minutes),
                new TreeMap<>(),
                100,
                null,
                0,
                "",
                new TreeMap<>());
    }

    @Test
    void goesOn_asLongAsItLasts_fromWhenItWasFirstKnown() {
        rig.pass(Duration.ofHours(1));
        assertThat(clock.isRunning(canary("c1", 5))).isTrue();
        rig.pass(Duration.ofMinutes(5).minusNanos(1));
        assertThat(clock.isRunning(canary("c1", 5))).isTrue();
        assertThat(over).isEmpty();
        rig.pass(Duration.ofNanos(1));
        assertThat(clock.isRunning(canary("c1", 5))).isFalse();
        rig.pass(Duration.ofHours(1));
        assertThat(over).containsExactly("c1");
    }

    @Test
    void goesOn_withoutAnEnd_always() {
        assertThat(clock.isRunning(canary("c1", 0))).isTrue();
        rig.pass(Duration.ofHours(2));
        assertThat(clock.isRunning(canary("c1", 0))).isTrue();
        assertThat(over).isEmpty();
    }

    @Test
    void goesOn_another_hasTimeOfItsOwn() {
        clock.isRunning(canary("c1", 5));
        rig.pass(Duration.ofMinutes(4));
        assertThat(clock.isRunning(canary("c2", 5))).isTrue();
        rig.pass(Duration.ofMinutes(4));
        assertThat(clock.isRunning(canary("c2", 5))).isTrue();
        assertThat(over).isEmpty();
        rig.pass(Duration.ofMinutes(1));
        assertThat(over).containsExactly("c2");
    }

    @Test
    void none_itHasEnded_isNotToldAndBeginsAnew() {
        clock.isRunning(canary("c1", 5));
        rig.pass(Duration.ofMinutes(4));
        clock.none();
        rig.pass(Duration.ofMinutes(4));
        assertThat(over).isEmpty();
        assertThat(clock.isRunning(canary("c1", 5))).isTrue();
    }

    /** Whoever tries it may be gone. */
    @Test
    void watched_triedByOthers_isOverALittleLater() {
        clock.watch(canary("c1", 5));
        rig.pass(Duration.ofMinutes(5).plusSeconds(4));
        assertThat(over).isEmpty();
        rig.pass(Duration.ofSeconds(7));
        clock.watch(canary("c1", 5));
        rig.pass(Duration.ofHours(1));
        assertThat(over).containsExactly("c1");
    }

    @Test
    void watched_andThenTriedHere_isOverWhenItsTimeIs() {
        clock.watch(canary("c1", 5));
        rig.pass(Duration.ofMinutes(4));
        assertThat(clock.isRunning(canary("c1", 5))).isTrue();
        rig.pass(Duration.ofMinutes(1));
        assertThat(over).containsExactly("c1");
        assertThat(clock.isRunning(canary("c1", 5))).isFalse();
    }

    @Test
    void watched_withoutAnEnd_isNeverOver() {
        clock.watch(canary("c1", 0));
        rig.pass(Duration.ofHours(2));
        assertThat(over).isEmpty();
    }

    @Test
    void endLater_stillThere_isTriedAgainInAWhile() {
        clock.isRunning(canary("c1", 5));
        rig.pass(Duration.ofMinutes(5));
        clock.endLater("c1", () -> over.add("again"));
        rig.pass(Duration.ofSeconds(11));
        assertThat(over).containsExactly("c1", "again");

        clock.endLater("c1", () -> over.add("in vain"));
        clock.none();
        clock.endLater("c1", () -> over.add("in vain"));
        rig.pass(Duration.ofMinutes(1));
        assertThat(over).containsExactly("c1", "again");
    }

    @Test
    void close_nothingIsToldAnyMore() {
        clock.isRunning(canary("c1", 5));
        clock.close();
        rig.pass(Duration.ofHours(1));
        assertThat(over).isEmpty();
    }
}
