package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A handle to a hold. A {@link LeakDetector} is notified when the program has dropped it. Any thread. */
final class TrackedHold implements Hold {

    private final FencedHold hold;
    private final Cleaner.Cleanable watch;

    TrackedHold(FencedHold hold, LeakDetector.Watch watch) {
        this.hold = hold;
        this.watch = watch.over(this);
    }

    FencedHold hold() {
        return hold;
    }

    @Override
    public String name() {
        return hold.name();
    }

    @Override
    public long token() {
        return hold.token();
    }

    @Override
    public HoldState state() {
        return hold.state();
    }

    @Override
    public Duration remaining() {
        return hold.remaining();
    }

    @Override
    public void ensureValid(Duration atLeast) {
        hold.ensureValid(atLeast);
    }

    @Override
    public Subscription onLost(Runnable listener) {
        return hold.onLost(listener);
    }

    @Override
    public Subscription onState(Consumer<HoldState> listener) {
        return hold.onState(listener);
    }

    @Override
    public void close() {
        try {
            hold.close();
            watch.clean();
        } finally {
            // This may be the last use: without the fence the handle could be collected before it is closed.
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        try {
            CompletableFuture<Void> released = hold.releaseAsync();
            watch.clean();
            return released;
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public String toString() {
        return hold.toString();
    }
}
