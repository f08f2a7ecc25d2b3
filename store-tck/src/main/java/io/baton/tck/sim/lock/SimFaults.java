package io.baton.tck.sim.lock;

import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Lets a seeded fault happen every now and then, until stopped; each run has its own mixture of them. In some runs
 * only one happens that needs quiet before and after it, and rarely.
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

    /** Faults of processes to begin with: short and long standstills, wall clocks that are set back. */
    public SimFaults(Simulation sim) {
        this.sim = sim;
        this.chance = sim.chance();
        this.mostMillisBetween = 100L << chance.nextInt(5);
        this.lonely = chance.nextInt(3) == 0;
        sometimes(() -> freeze(upTo(400)));
        sometimes(() -> freeze(upTo(8_000)));
        // Not both: who sleeps, and whose clock is set back meanwhile, cannot know it before the next beat.
        sometimes(chance.nextBoolean() ? this::suspend : this::setBack);
    }

    /** A kind of fault that happens in every run. */
    public void always(Runnable fault) {
        kinds.add(new Kind(fault, 4 + weight()));
    }

    /** A kind of fault that happens often in some runs, and in others never. */
    public void sometimes(Runnable fault) {
        kinds.add(new Kind(fault, weight()));
    }

    /** A kind of fault that happens often in some runs, in others never, and in others alone and rarely. */
    public void sometimesAlone(Runnable fault) {
        sometimes(fault);
        loners.add(fault);
    }

    /** A kind of fault that happens in some runs alone and rarely, and in no others. */
    public void alone(Runnable fault) {
        loners.add(fault);
    }

    /** Whether in this run only one kind of fault happens, and rarely. */
    public boolean lonely() {
        return lonely;
    }

    /** A process to spoil. */
    public void add(SimProcess process) {
        processes.add(process);
    }

    /** Begins. */
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

    /** Ends. */
    public void stop() {
        stopped = true;
        whenStopped.forEach(Runnable::run);
    }

    /** Done when it ends, by a fault that lasts for as long as nobody ends it. */
    public void onStop(Runnable task) {
        whenStopped.add(task);
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

    /** How often a wall clock was set back. */
    public long clocksSetBack() {
        return clocksSetBack;
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

    private void setBack() {
        clocksSetBack++;
        process().shiftWallClock(upTo(20_000).negated());
    }

    private long millis(long most) {
        return chance.nextLong(MILLI, most * MILLI + 1);
    }
}
