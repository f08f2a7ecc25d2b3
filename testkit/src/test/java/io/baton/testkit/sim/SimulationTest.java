package io.baton.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    @Test
    void at_severalEvents_runInTheOrderOfTheirTimes() {
        var sim = new Simulation(1);
        var seen = new ArrayList<Long>();
        for (long at : List.of(30L, 10L, 20L)) {
            sim.at(at, () -> seen.add(sim.now()));
        }
        sim.runUntilQuiet(MINUTE);
        assertThat(seen).containsExactly(10L, 20L, 30L);
    }

    @Test
    void at_sameTime_orderDependsOnTheSeedAndOnNothingElse() {
        var orders = new ArrayList<List<Integer>>();
        for (long seed = 0; seed < 20; seed++) {
            List<Integer> order = orderAtOnce(seed);
            assertThat(orderAtOnce(seed)).isEqualTo(order);
            orders.add(order);
        }
        assertThat(orders.stream().distinct().count()).isGreaterThan(1);
    }

    @Test
    void step_throws_failureTellsSeedAndTrace() {
        var sim = new Simulation(4711);
        sim.note("somebody", "was here");
        sim.at(5, () -> {
            throw new IllegalStateException("broken");
        });
        assertThatThrownBy(() -> sim.runFor(MINUTE))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("seed 4711")
                .hasMessageContaining("broken")
                .hasMessageContaining("was here");
    }

    @Test
    void runUntilQuiet_somethingGoesOnForEver_fails() {
        var sim = new Simulation(1);
        class Endless implements Runnable {
            @Override
            public void run() {
                sim.after(Duration.ofSeconds(1), this);
            }
        }
        new Endless().run();
        assertThatThrownBy(() -> sim.runUntilQuiet(MINUTE)).isInstanceOf(SimulationFailure.class);
    }

    @Test
    void step_eventsThatMakeEachOtherAtOnce_failTheRun() {
        var sim = new Simulation(1);
        class Circle implements Runnable {
            @Override
            public void run() {
                sim.at(sim.now(), this);
            }
        }
        new Circle().run();
        assertThatThrownBy(() -> sim.runFor(MINUTE))
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("time stands still");
    }

    @Test
    void cancel_eventWaiting_doesNotHappen() {
        var sim = new Simulation(1);
        sim.at(5, () -> sim.check(false, "it happened")).cancel();
        sim.runUntilQuiet(MINUTE);
        assertThat(sim.steps()).isZero();
    }

    private static List<Integer> orderAtOnce(long seed) {
        var sim = new Simulation(seed);
        var order = new ArrayList<Integer>();
        for (int i = 0; i < 5; i++) {
            int which = i;
            sim.at(100, () -> order.add(which));
        }
        sim.runUntilQuiet(MINUTE);
        return order;
    }
}
