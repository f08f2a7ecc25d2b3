package io.baton.testkit.sim;

import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One direction of a connection. Messages arrive in order, each after a seeded delay, unless the pipe is cut. */
public final class SimPipe {

    private final Simulation sim;
    private final LongSupplier latencyNanos;
    private final ArrayDeque<Message> underWay = new ArrayDeque<>();
    private Simulation.@Nullable Event next;
    private long heldUntil;
    private boolean cut;

    /** A pipe whose messages take this long, in nanoseconds. */
    public SimPipe(Simulation sim, LongSupplier latencyNanos) {
        this.sim = sim;
        this.latencyNanos = latencyNanos;
    }

    /** Runs the task at the other end, after all messages sent before; false if the pipe is cut. */
    public boolean send(Runnable atTheOtherEnd) {
        if (cut) {
            return false;
        }
        underWay.add(new Message(sim.now() + latencyNanos.getAsLong(), atTheOtherEnd));
        schedule();
        return true;
    }

    /** Holds all messages until this virtual time. */
    public void hold(long untilNanos) {
        heldUntil = Math.max(heldUntil, untilNanos);
    }

    /** Whether a message sent now arrives without being held. */
    public boolean flows() {
        return !cut && heldUntil <= sim.now();
    }

    /** The number of messages under way. */
    public int underWay() {
        return underWay.size();
    }

    /** Whether a message is due and not held. */
    public boolean arriving() {
        Message head = underWay.peek();
        return head != null && Math.max(head.at, heldUntil) <= sim.now();
    }

    /** Loses all messages under way but the first few, and all that are sent from now on. */
    public void cutAfter(int first) {
        cut = true;
        while (underWay.size() > first) {
            underWay.removeLast();
        }
    }

    /** Like {@link #cutAfter(int)}; after those few messages, {@code last} runs at the other end. */
    public void cutAfter(int first, Runnable last) {
        cutAfter(first);
        underWay.add(new Message(sim.now() + latencyNanos.getAsLong(), last));
        schedule();
    }

    private void schedule() {
        Message head = underWay.peek();
        if (head != null && next == null) {
            next = sim.at(Math.max(head.at, heldUntil), this::arrive);
        }
    }

    private void arrive() {
        next = null;
        Message head = underWay.peek();
        if (head == null) {
            return;
        }
        if (sim.now() >= heldUntil) {
            underWay.remove();
            schedule();
            head.task.run();
        } else {
            schedule();
        }
    }

    private record Message(long at, Runnable task) {}
}
