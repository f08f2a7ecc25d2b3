package io.baton.testkit.proxy;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** An armed fault, which strikes once. Any thread may read it. */
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

    /** Whether the fault has struck and taken effect. */
    public boolean fired() {
        return message != null;
    }

    /** The name of the message that set the fault off; empty until then. */
    public Optional<String> message() {
        return Optional.ofNullable(message);
    }

    /** The number of messages counted so far, including the one that set the fault off. */
    public int seen() {
        return seen.get();
    }

    /** Arms another fault, which counts messages once this one has struck. */
    public Trigger then(Direction next, int nth, Predicate<String> these, Moment when, Fault another) {
        return faults.arm(new Trigger(loop, faults, this, next, these, nth, when, another));
    }

    /** Disarms the fault; it does not strike after this has returned. */
    public void disarm() {
        loop.call(() -> armed = false);
    }

    // On the proxy's thread.

    /** Counts a message about to be forwarded; true if it sets the fault off. */
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

    /** Stops counting. */
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
