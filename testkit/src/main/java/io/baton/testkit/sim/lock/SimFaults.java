package io.baton.testkit.sim.lock;

import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Lets a seeded fault happen every now and then, until stopped; each run has its own mixture of them. */
public final class SimFaults {

    private static final long MILLI = 1_000_000;

    private record Kind(Runnable fault, int weight) {}

    private final Simulation sim;
    private final SplittableRandom chance;
    private final long mostMillisBetween;
    private final List<Kind> kinds = new ArrayList<>();
    private final List<SimProcess> processes = new ArrayList<>();
    private boolean stopped;
    private long faults;
    private long freezes;
    private long suspends;

    /** Faults of processes to begin with: short and long standstills. */
    public SimFaults(Simulation sim) {
        this.sim = sim;
        this.chance = sim.chance();
        this.mostMillisBetween = 100L << chance.nextInt(5);
        sometimes(() -> freeze(upTo(400)));
        sometimes(() -> freeze(upTo(8_000)));
        sometimes(this::suspend);
    }

    /** A kind of fault that happens in every run. */
    public void always(Runnable fault) {
        kinds.add(new Kind(fault, 4 + weight()));
    }

    /** A kind of fault that happens often in some runs, and in others never. */
    public void sometimes(Runnable fault) {
        kinds.add(new Kind(fault, weight()));
    }

    /** A process to spoil. */
    public void add(SimProcess process) {
        processes.add(process);
    }

    /** Begins. */
    public void start() {
        sim.at(sim.now() + millis(mostMillisBetween), () -> {
            if (!stopped) {
                fault();
                start();
            }
        });
    }

    /** Ends. */
    public void stop() {
        stopped = true;
    }

    /** Whether it has ended. */
    public boolean stopped() {
        return stopped;
    }

    /** How many faults there were. */
    public long faults() {
        return faults;
    }

    /** The fault found nothing to spoil, and is none. */
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

    /** A process that has not been killed. */
    public SimProcess process() {
        processes.removeIf(SimProcess::dead);
        return any(processes);
    }

    /** One of these. */
    public <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }

    /** One of these, or null if there are none. */
    public <T> @Nullable T anyOrNull(List<T> of) {
        return of.isEmpty() ? null : any(of);
    }

    /** True once in so many times. */
    public boolean onceIn(int times) {
        return chance.nextInt(times) == 0;
    }

    /** A time of so many milliseconds at most. */
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

    private long millis(long most) {
        return chance.nextLong(MILLI, most * MILLI + 1);
    }
}
