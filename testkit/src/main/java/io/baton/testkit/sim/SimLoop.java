package io.baton.testkit.sim;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a simulated process. A task starts after a seeded delay, so that threads interleave in many ways. A
 * task that throws fails the simulation.
 */
public final class SimLoop implements Loop {

    private static final int USUAL_START_NANOS = 30_000;
    private static final int SLOW_START_NANOS = 3_000_000;

    private final Simulation sim;
    private final SimProcess process;
    private final String name;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private Simulation.@Nullable Event next;

    SimLoop(Simulation sim, SimProcess process, String name) {
        this.sim = sim;
        this.process = process;
        this.name = process.name() + "/" + name;
    }

    /** Adds a line to the trace under this thread's name. */
    public void note(String what) {
        sim.note(name, what);
    }

    @Override
    public long nanoTime() {
        return process.nanoTime();
    }

    @Override
    public long wallMillis() {
        return process.wallMillis();
    }

    @Override
    public long randomLong() {
        return process.chance().nextLong();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (next == null) {
            next = sim.at(sim.now() + startDelay(), this::run);
        }
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return new SimTimer(delay, task);
    }

    private void run() {
        if (process.paused()) {
            next = process.dead() ? next : sim.at(process.pausedUntil(), this::run);
            return;
        }
        next = null;
        Runnable task = tasks.remove();
        if (!tasks.isEmpty()) {
            next = sim.at(sim.now() + startDelay(), this::run);
        }
        task.run();
    }

    private long startDelay() {
        boolean slow = process.chance().nextInt(100) == 0;
        return process.chance().nextInt(slow ? SLOW_START_NANOS : USUAL_START_NANOS);
    }

    private final class SimTimer implements Timer {

        private final long due;
        private final Runnable task;
        private boolean cancelled;
        private Simulation.Event event;

        SimTimer(Duration delay, Runnable task) {
            this.task = task;
            this.due = nanoTime() + Math.max(0, delay.toNanos());
            this.event = ringAfter(Math.max(0, delay.toNanos()));
        }

        @Override
        public void cancel() {
            cancelled = true;
            event.cancel();
            process.timers().remove(event);
        }

        private Simulation.Event ringAfter(long nanos) {
            Simulation.Event waiting = sim.at(process.whenPassed(nanos), this::ring);
            process.timers().add(waiting);
            return waiting;
        }

        private void ring() {
            process.timers().remove(event);
            long early = due - nanoTime();
            if (early > 0) {
                event = ringAfter(early);
            } else {
                execute(() -> {
                    if (!cancelled) {
                        task.run();
                    }
                });
            }
        }
    }
}
