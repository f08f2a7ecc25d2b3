package io.baton.testkit.proxy;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A fault that waits for its message, and strikes once. Read by any thread. */
public final class Trigger {

    private final ProxyLoop loop;
    private final Faults faults;
    private final @Nullable Trigger after;
    private final Direction direction;
    private final Predicate<String> which;
    private final int n;
    private final Moment moment;
    private final Fault fault;
    private final AtomicInteger seen = new AtomicInteger();
    private boolean armed = true;
    private volatile @Nullable String message;

    Trigger(
            ProxyLoop loop,
            Faults faults,
            @Nullable Trigger after,
            Direction direction,
            Predicate<String> which,
            int n,
            Moment moment,
            Fault fault) {
        if (n < 1) {
            throw new IllegalArgumentException("messages are counted from 1: " + n);
        }
        this.loop = loop;
        this.faults = faults;
        this.after = after;
        this.direction = direction;
        this.which = which;
        this.n = n;
        this.moment = moment;
        this.fault = fault;
    }

    /** Whether the fault has struck; what it does has been done by then. */
    public boolean fired() {
        return message != null;
    }

    /** The name of the message that set it off; empty until then. */
    public Optional<String> message() {
        return Optional.ofNullable(message);
    }

    /** How many messages were counted so far, that which set it off among them. */
    public int seen() {
        return seen.get();
    }

    /** Arms another fault, which counts from when this one has struck. */
    public Trigger then(Direction next, int nth, Predicate<String> these, Moment when, Fault another) {
        return faults.arm(new Trigger(loop, faults, this, next, these, nth, when, another));
    }

    /** Once this has returned it does not strike any more. */
    public void disarm() {
        loop.call(() -> armed = false);
    }

    // On the proxy's thread.

    /** Counts a message about to be handed on; true if this is the one. */
    boolean count(Direction its, String name) {
        if (!armed || (after != null && !after.fired()) || its != direction || !which.test(name)) {
            return false;
        }
        return seen.incrementAndGet() >= n;
    }

    boolean armed() {
        return armed;
    }

    Moment moment() {
        return moment;
    }

    Fault fault() {
        return fault;
    }

    /** From now on it counts nothing. */
    void chosen() {
        armed = false;
    }

    void struck(String name) {
        message = name;
    }

    @Override
    public String toString() {
        return fault + " " + moment + " message " + n + " " + direction;
    }
}
