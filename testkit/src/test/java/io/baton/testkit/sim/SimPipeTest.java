package io.baton.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SimPipeTest {

    private final Simulation sim = new Simulation(9);
    private final SplittableRandom chance = sim.chance();
    private final SimPipe pipe = new SimPipe(sim, () -> chance.nextLong(1_000_000));
    private final List<Integer> arrived = new ArrayList<>();

    @Test
    void send_latenciesDiffer_arrivesInOrder() {
        sendTen();
        sim.runUntilQuiet(Duration.ofSeconds(1));
        assertThat(arrived).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void hold_someTime_nothingArrivesBefore() {
        sendTen();
        pipe.hold(5_000_000);
        sim.runUntil(4_999_999);
        assertThat(arrived).isEmpty();
        sim.runUntilQuiet(Duration.ofSeconds(1));
        assertThat(arrived).hasSize(10);
    }

    @Test
    void cutAfter_some_losesTheRestAndWhatIsSentLater() {
        sendTen();
        pipe.cutAfter(3, () -> arrived.add(-1));
        assertThat(pipe.send(() -> arrived.add(99))).isFalse();
        sim.runUntilQuiet(Duration.ofSeconds(1));
        assertThat(arrived).containsExactly(0, 1, 2, -1);
    }

    private void sendTen() {
        for (int i = 0; i < 10; i++) {
            int which = i;
            pipe.send(() -> arrived.add(which));
        }
    }
}
