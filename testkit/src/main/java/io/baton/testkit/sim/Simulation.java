package io.baton.testkit.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A world with virtual time: events wait in a queue, each step takes the next one, and time is whatever that event
 * says. Events at the same time run in an order drawn from the seed.
 *
 * <p>Whatever a step throws ends the run as a {@link SimulationFailure} that tells the seed and the newest lines of the
 * trace: 400, or as many as the system property {@code baton.sim.trace} says.
 */
public final class Simulation {

    private static final int TRACE_LINES = Integer.getInteger("baton.sim.trace", 400);

    /** So many events at one moment have become a circle. */
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

    /** A world in which everything follows from this number. */
    public Simulation(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.ties = random.split();
    }

    /** What everything follows from. */
    public long seed() {
        return seed;
    }

    /** Virtual time in nanoseconds since the start. */
    public long now() {
        return now;
    }

    /** How many events have run. */
    public long steps() {
        return steps;
    }

    /** What has happened. */
    public Trace trace() {
        return trace;
    }

    /** Chance for one part of the world; draws of other parts do not disturb it. */
    public SplittableRandom chance() {
        return random.split();
    }

    /** Notes what happened, for people. */
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

    /** Like {@link #at}, for what goes on for ever by itself: it does not keep {@link #runUntilQuiet} running. */
    public Event inBackgroundAt(long nanos, Runnable task) {
        return add(nanos, task, true);
    }

    /** Runs the check after every step from now on; it must change nothing. */
    public void afterEveryStep(Runnable check) {
        checks.add(check);
    }

    /** Runs all that is due until this virtual time, and ends there. */
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
     * Runs until nothing but background events is left.
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

    /** Fails this run unless the claim holds. */
    public void check(boolean claim, String otherwise) {
        if (!claim) {
            throw failure(new AssertionError(otherwise));
        }
    }

    /** Like {@link #check(boolean, String)}; the text is only made if the claim does not hold. */
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

    /** Something that will happen. */
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

        /** Keeps it from happening. */
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
