package io.baton.tck.sim.lock;

import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Causes seeded faults until stopped; each run has its own mixture. In some runs only one kind of fault happens,
 * rarely, which needs quiet before and after it.
 */
public final class SimFaults {

    private static final long MILLI = 1_000_000;
    private static final long RARELY_MILLIS = 8_000;

    private record Kind(Runnable fault, int weight) {}

    private final Simulation sim;
    private final SplittableRandom chance;
    private final long mostMillisBetween;
    private final List<Kind> kinds = new ArrayList<>();
    private final List<Runnable> loners = new ArrayList<>();
    private final boolean lonely;
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<Runnable> whenStopped = new ArrayList<>();
    private boolean stopped;
    private long faults;
    private long freezes;
    private long suspends;
    private long clocksSetBack;

    /** Starts with faults of processes: short and long freezes, suspensions, wall clocks that are set back. */
    public SimFaults(Simulation sim) {
        this.sim = sim;
        this.chance = sim.chance();
        this.mostMillisBetween = 100L << chance.nextInt(5);
        this.lonely = chance.nextInt(3) == 0;
        sometimes(() -> freeze(upTo(400)));
        sometimes(() -> freeze(upTo(8_000)));
        // Not both: a process that is suspended while its clock is set back cannot detect that before the next beat.
        sometimes(chance.nextBoolean() ? this::suspend : this::setBack);
    }

    /** Adds a kind of fault that happens in every run. */
    public void always(Runnable fault) {
        kinds.add(new Kind(fault, 4 + weight()));
    }

    /** Adds a kind of fault that happens often in some runs and never in others. */
    public void sometimes(Runnable fault) {
        kinds.add(new Kind(fault, weight()));
    }

    /** Adds a kind of fault that happens often in some runs, never in others, and alone and rarely in the rest. */
    public void sometimesAlone(Runnable fault) {
        sometimes(fault);
        loners.add(fault);
    }

    /** Adds a kind of fault that happens in some runs, alone and rarely, and in no others. */
    public void alone(Runnable fault) {
        loners.add(fault);
    }

    /** Whether only one kind of fault happens in this run, and rarely. */
    public boolean lonely() {
        return lonely;
    }

    /** Adds a process for faults. */
    public void add(SimProcess process) {
        processes.add(process);
    }

    /** Starts the faults. */
    public void start() {
        if (lonely && !loners.isEmpty()) {
            Runnable loner = any(loners);
            begin(
                    () -> {
                        faults++;
                        loner.run();
                    },
                    RARELY_MILLIS);
        } else {
            begin(this::fault, mostMillisBetween);
        }
    }

    private void begin(Runnable fault, long most) {
        sim.at(sim.now() + millis(most), () -> {
            if (!stopped) {
                fault.run();
                begin(fault, most);
            }
        });
    }

    /** Stops the faults, and runs the tasks of {@link #onStop}. */
    public void stop() {
        stopped = true;
        whenStopped.forEach(Runnable::run);
    }

    /** Adds a task to run at the end, for faults that last until they are ended. */
    public void onStop(Runnable task) {
        whenStopped.add(task);
    }

    /** Whether the faults have stopped. */
    public boolean stopped() {
        return stopped;
    }

    /** The number of faults. */
    public long faults() {
        return faults;
    }

    /** Takes back the present fault, which had no effect. */
    public void nothing() {
        faults--;
    }

    /** How often a process was frozen. */
    public long freezes() {
        return freezes;
    }

    /** How often a process was suspended. */
    public long suspends() {
        return suspends;
    }

    /** How often a wall clock was set back. */
    public long clocksSetBack() {
        return clocksSetBack;
    }

    /** Draws a process that has not been killed. */
    public SimProcess process() {
        processes.removeIf(SimProcess::dead);
        return any(processes);
    }

    /** Draws one of these. */
    public <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }

    /** Draws one of these; null if there are none. */
    public <T> @Nullable T anyOrNull(List<T> of) {
        return of.isEmpty() ? null : any(of);
    }

    /** True once in this many times. */
    public boolean onceIn(int times) {
        return chance.nextInt(times) == 0;
    }

    /** Draws a time of at most this many milliseconds. */
    public Duration upTo(long millis) {
        return Duration.ofNanos(millis(millis));
    }

    private int weight() {
        int drawn = chance.nextInt(4);
        return drawn * drawn;
    }

    private void fault() {
        int drawn = chance.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
        for (Kind kind : kinds) {
            drawn -= kind.weight();
            if (drawn < 0) {
                faults++;
                kind.fault().run();
                return;
            }
        }
    }

    private void freeze(Duration time) {
        SimProcess process = process();
        if (!process.paused()) {
            freezes++;
            process.freeze(time);
        } else {
            nothing();
        }
    }

    private void suspend() {
        SimProcess process = process();
        if (!process.paused()) {
            suspends++;
            process.suspend(upTo(5_000));
        } else {
            nothing();
        }
    }

    private void setBack() {
        clocksSetBack++;
        process().shiftWallClock(upTo(20_000).negated());
    }

    private long millis(long most) {
        return chance.nextLong(MILLI, most * MILLI + 1);
    }
}
