package io.baton.internal.lock;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.util.concurrent.CompletableFuture;

/** A handle to a hold. A {@link LeakDetector} is notified when the program has dropped it. Any thread. */
final class TrackedHold extends ForwardingHold {

    private final Cleaner.Cleanable watch;

    TrackedHold(FencedHold hold, LeakDetector.Watch watch) {
        super(hold);
        this.watch = watch.over(this);
    }

    @Override
    public void close() {
        try {
            super.close();
            watch.clean();
        } finally {
            // This may be the last use: without the fence the handle could be collected before it is closed.
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        try {
            CompletableFuture<Void> released = super.releaseAsync();
            watch.clean();
            return released;
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
