package io.baton.testkit.sim;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A simulated process with its own clocks, and threads that can all be paused at once.
 *
 * <p>Its monotonic clock runs at a seeded rate from a seeded start, sometimes one that soon overflows. Its wall clock
 * is off by a seeded amount and runs at the same rate.
 */
public final class SimProcess {

    private static final long MILLION = 1_000_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final Simulation sim;
    private final String name;
    private final SplittableRandom chance;
    private final Set<Simulation.Event> timers = new LinkedHashSet<>();
    private final long ratePpm;
    private final long start;
    private long wallStart;
    private long slept;
    private long pausedUntil;
    private long asleepSince;
    private boolean asleep;
    private long pauses;

    /**
     * Creates a process whose clocks drift by at most {@code driftPpm}.
     *
     * @param name the name in the trace
     * @param driftPpm the bound in parts per million; 2,000 is 0.2 %
     */
    public SimProcess(Simulation sim, String name, int driftPpm) {
        this.sim = sim;
        this.name = name;
        this.chance = sim.chance();
        this.ratePpm = chance.nextLong(-driftPpm, driftPpm + 1L);
        this.start = chance.nextInt(4) == 0 ? Long.MAX_VALUE - chance.nextLong(60_000_000_000L) : chance.nextLong();
        this.wallStart = 1_700_000_000_000L + chance.nextLong(-100_000, 100_000);
    }

    /** The name in the trace. */
    public String name() {
        return name;
    }

    /** Creates a new thread of this process. */
    public SimLoop thread(String threadName) {
        return new SimLoop(sim, this, threadName);
    }

    /**
     * Stops all threads for this long. Events that arrive meanwhile wait and are handled in order afterwards. The
     * clocks go on.
     */
    public void freeze(Duration time) {
        note("frozen for " + time);
        pause(time);
    }

    /**
     * Like {@link #freeze}, as in a suspended virtual machine: the monotonic clock stands still, the wall clock goes
     * on.
     */
    public void suspend(Duration time) {
        note("suspended for " + time);
        wakeUp();
        pause(time);
        asleepSince = lived(sim.now());
        asleep = true;
    }

    /** Stops all threads for good. */
    public void kill() {
        note("killed");
        pauses++;
        pausedUntil = NEVER;
        timers.forEach(Simulation.Event::cancel);
        timers.clear();
    }

    /** Whether the process was killed. */
    public boolean dead() {
        return pausedUntil == NEVER;
    }

    /** Shifts the wall clock; a negative duration sets it back. */
    public void shiftWallClock(Duration by) {
        note("wall clock set by " + by);
        wallStart += by.toMillis();
    }

    /** Whether its threads are stopped. */
    public boolean paused() {
        return sim.now() < pausedUntil;
    }

    /** The number of pauses so far. */
    public long pauses() {
        return pauses;
    }

    /** Its monotonic clock. */
    public long nanoTime() {
        if (!paused()) {
            wakeUp();
        }
        return start + (asleep ? asleepSince : lived(sim.now())) - slept;
    }

    /** Its wall clock. */
    public long wallMillis() {
        return wallStart + lived(sim.now()) / MILLION;
    }

    void note(String what) {
        sim.note(name, what);
    }

    /** The pending timers of its threads. */
    Set<Simulation.Event> timers() {
        return timers;
    }

    SplittableRandom chance() {
        return chance;
    }

    /** The virtual time at which its threads may go on. */
    long pausedUntil() {
        return pausedUntil;
    }

    /** The virtual time at which its monotonic clock will have advanced by this much, unless suspended meanwhile. */
    long whenPassed(long nanos) {
        long millionths = MILLION + ratePpm;
        return sim.now() + (nanos / millionths) * MILLION + (nanos % millionths) * MILLION / millionths + 2;
    }

    private void pause(Duration time) {
        pauses++;
        pausedUntil = Math.max(pausedUntil, sim.now() + time.toNanos());
    }

    private void wakeUp() {
        if (asleep) {
            asleep = false;
            slept += lived(Math.min(sim.now(), pausedUntil)) - asleepSince;
        }
    }

    private long lived(long nanos) {
        return nanos + nanos / MILLION * ratePpm + nanos % MILLION * ratePpm / MILLION;
    }
}
