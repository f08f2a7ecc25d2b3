package io.baton.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class SimProcessTest {

    private static final int DRIFT_PPM = 2_000;
    private static final long SECOND = 1_000_000_000L;

    @Test
    void nanoTime_manyProcesses_ratesDifferWithinTheBound() {
        var sim = new Simulation(3);
        var rates = new ArrayList<Long>();
        for (int i = 0; i < 50; i++) {
            var process = new SimProcess(sim, "p" + i, DRIFT_PPM);
            long before = process.nanoTime();
            sim.runFor(Duration.ofSeconds(1_000));
            rates.add((process.nanoTime() - before - 1_000 * SECOND) / 1_000_000);
        }
        assertThat(rates).allMatch(off -> Math.abs(off) <= DRIFT_PPM);
        assertThat(rates.stream().distinct().count()).isGreaterThan(10);
    }

    @Test
    void after_anyClock_neverEarlyByTheOwnClockAndHardlyLate() {
        for (long seed = 0; seed < 50; seed++) {
            var sim = new Simulation(seed);
            SimLoop loop = new SimProcess(sim, "p", DRIFT_PPM).thread("loop");
            long start = loop.nanoTime();
            var waited = new ArrayList<Long>();
            loop.after(Duration.ofSeconds(7), () -> waited.add(loop.nanoTime() - start));
            sim.runUntilQuiet(Duration.ofMinutes(1));
            assertThat(waited)
                    .singleElement()
                    .satisfies(nanos -> assertThat(nanos).isBetween(7 * SECOND, 7 * SECOND + SECOND / 100));
        }
    }

    @Test
    void freeze_tasksAndTimers_waitAndRunInOrderWhileTheClocksGoOn() {
        var sim = new Simulation(5);
        var process = new SimProcess(sim, "p", DRIFT_PPM);
        SimLoop loop = process.thread("loop");
        var ran = new ArrayList<String>();
        long before = process.nanoTime();
        process.freeze(Duration.ofSeconds(10));
        loop.after(Duration.ofSeconds(2), () -> ran.add("timer"));
        loop.execute(() -> ran.add("first"));
        sim.at(SECOND, () -> loop.execute(() -> ran.add("second")));
        sim.runUntil(9 * SECOND);
        assertThat(ran).isEmpty();
        sim.runUntilQuiet(Duration.ofMinutes(1));
        assertThat(ran).containsExactly("first", "second", "timer");
        assertThat(process.nanoTime() - before).isGreaterThan(9 * SECOND);
    }

    @Test
    void suspend_monotonicClockStandsStill_wallClockGoesOn() {
        var sim = new Simulation(6);
        var process = new SimProcess(sim, "p", DRIFT_PPM);
        sim.runFor(Duration.ofSeconds(1));
        long nanos = process.nanoTime();
        long wall = process.wallMillis();
        process.suspend(Duration.ofSeconds(100));
        sim.runFor(Duration.ofSeconds(50));
        assertThat(process.nanoTime()).isEqualTo(nanos);
        sim.runFor(Duration.ofSeconds(51));
        assertThat(process.nanoTime() - nanos).isBetween(SECOND * 99 / 100, SECOND * 101 / 100);
        assertThat(process.wallMillis() - wall).isBetween(100_000L, 102_000L);
    }

    @Test
    void kill_tasks_neverRun() {
        var sim = new Simulation(7);
        var process = new SimProcess(sim, "p", DRIFT_PPM);
        SimLoop loop = process.thread("loop");
        loop.execute(() -> sim.check(false, "a dead process ran"));
        process.kill();
        sim.runUntilQuiet(Duration.ofMinutes(1));
        assertThat(process.paused()).isTrue();
    }

    @Test
    void cancel_timerWhoseTaskIsQueued_keepsItFromRunning() {
        var sim = new Simulation(8);
        var process = new SimProcess(sim, "p", DRIFT_PPM);
        SimLoop loop = process.thread("loop");
        var timer = loop.after(Duration.ofMillis(1), () -> sim.check(false, "a cancelled timer ran"));
        process.freeze(Duration.ofSeconds(1));
        sim.at(SECOND / 2, timer::cancel);
        sim.runUntilQuiet(Duration.ofMinutes(1));
        assertThat(sim.now()).isGreaterThanOrEqualTo(SECOND);
    }
}
