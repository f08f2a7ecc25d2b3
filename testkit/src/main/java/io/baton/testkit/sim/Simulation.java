package io.baton.testkit.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A world with virtual time. Events wait in a queue; each step runs the next one and sets the time to its own. Events
 * at the same time run in an order drawn from the seed.
 *
 * <p>An exception in a step ends the run as a {@link SimulationFailure}, with the seed and the newest lines of the
 * trace. The system property {@code baton.sim.trace} sets their number (default 400).
 */
public final class Simulation {

    private static final int TRACE_LINES = Integer.getInteger("baton.sim.trace", 400);

    /** This many events at one moment are taken for an endless loop. */
    private static final int STANDSTILL = 100_000;

    private final long seed;
    private final SplittableRandom random;
    private final SplittableRandom ties;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final Trace trace = new Trace(TRACE_LINES);
    private long now;
    private long sequence;
    private int atOnce;
    private long steps;
    private int foreground;

    /** Creates a world in which everything follows from this seed. */
    public Simulation(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.ties = random.split();
    }

    /** The seed of the world. */
    public long seed() {
        return seed;
    }

    /** Virtual time in nanoseconds since the start. */
    public long now() {
        return now;
    }

    /** The number of events that have run. */
    public long steps() {
        return steps;
    }

    /** The trace of the run. */
    public Trace trace() {
        return trace;
    }

    /** Returns a random generator for one part of the world. Draws of other parts do not affect it. */
    public SplittableRandom chance() {
        return random.split();
    }

    /** Adds a line to the trace. */
    public void note(String who, String what) {
        trace.add(now, who, what);
    }

    /** Runs the task at this virtual time, or now if that has passed. */
    public Event at(long nanos, Runnable task) {
        return add(nanos, task, false);
    }

    /** Runs the task once this much virtual time has passed. */
    public Event after(Duration delay, Runnable task) {
        return add(now + delay.toNanos(), task, false);
    }

    /** Like {@link #at}, for periodic events: they do not keep {@link #runUntilQuiet} running. */
    public Event inBackgroundAt(long nanos, Runnable task) {
        return add(nanos, task, true);
    }

    /** Runs the check after every step from now on. The check must change nothing. */
    public void afterEveryStep(Runnable check) {
        checks.add(check);
    }

    /** Runs all events due until this virtual time, and sets the time to it. */
    public void runUntil(long nanos) {
        while (!events.isEmpty() && events.peek().at <= nanos) {
            step();
        }
        now = Math.max(now, nanos);
    }

    /** Runs for this much virtual time. */
    public void runFor(Duration time) {
        runUntil(now + time.toNanos());
    }

    /**
     * Runs until only background events are left.
     *
     * @throws SimulationFailure if that takes longer than this much virtual time
     */
    public void runUntilQuiet(Duration limit) {
        long end = now + limit.toNanos();
        while (foreground > 0 && !events.isEmpty()) {
            if (events.peek().at > end) {
                throw failure(new AssertionError(foreground + " events still wait after " + limit));
            }
            step();
        }
    }

    /** Fails the run unless the claim holds. */
    public void check(boolean claim, String otherwise) {
        if (!claim) {
            throw failure(new AssertionError(otherwise));
        }
    }

    /** Like {@link #check(boolean, String)}; the text is created only if the claim does not hold. */
    public void check(boolean claim, Supplier<String> otherwise) {
        if (!claim) {
            throw failure(new AssertionError(otherwise.get()));
        }
    }

    private void step() {
        Event event = events.remove();
        if (!event.cancelled) {
            atOnce = event.at == now ? atOnce + 1 : 0;
            now = event.at;
            steps++;
            check(atOnce < STANDSTILL, () -> "time stands still: " + atOnce + " events at once");
            event.done();
            try {
                event.task.run();
                for (int i = 0; i < checks.size(); i++) {
                    checks.get(i).run();
                }
            } catch (SimulationFailure known) {
                throw known;
            } catch (RuntimeException | Error broken) {
                throw failure(broken);
            }
        }
    }

    private Event add(long nanos, Runnable task, boolean background) {
        Event event = new Event(Math.max(nanos, now), ties.nextInt(), sequence++, task, background);
        events.add(event);
        return event;
    }

    private SimulationFailure failure(Throwable cause) {
        return new SimulationFailure(
                "seed " + seed + ", after " + steps + " steps, " + now + " ns of virtual time: " + cause.getMessage()
                        + "\n" + String.join("\n", trace.newest()),
                cause);
    }

    /** A scheduled event. */
    public final class Event implements Comparable<Event> {

        private final long at;
        private final int tie;
        private final long number;
        private final Runnable task;
        private final boolean background;
        private boolean cancelled;
        private boolean over;

        private Event(long at, int tie, long number, Runnable task, boolean background) {
            this.at = at;
            this.tie = tie;
            this.number = number;
            this.task = task;
            this.background = background;
            if (!background) {
                foreground++;
            }
        }

        /** Cancels the event. */
        public void cancel() {
            cancelled = true;
            done();
        }

        private void done() {
            if (!over && !background) {
                foreground--;
            }
            over = true;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            int byChance = byTime != 0 ? byTime : Integer.compare(tie, other.tie);
            return byChance != 0 ? byChance : Long.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }
}
