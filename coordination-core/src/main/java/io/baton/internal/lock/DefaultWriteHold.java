package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.WriteHold;
import io.baton.internal.callback.Listeners;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A handle to a writer's hold, until that is downgraded. Then it has ended, and the hold behind it goes on. */
final class DefaultWriteHold extends ForwardingHold implements WriteHold {

    private final FencedHold hold;
    private final AtomicBoolean downgraded = new AtomicBoolean();
    private final States states;
    private final Set<Subscription> listening = ConcurrentHashMap.newKeySet();

    DefaultWriteHold(Hold to) {
        super(to);
        this.hold = FencedHold.of(to).orElseThrow(IllegalArgumentException::new);
        this.states = new States(hold, downgraded);
    }

    @Override
    public Hold downgrade() throws InterruptedException {
        end();
        boolean confirmed = false;
        try {
            Futures.interruptibly(hold.downgrade());
            confirmed = true;
        } finally {
            if (!confirmed) {
                release();
            }
        }
        return reader();
    }

    @Override
    public CompletableFuture<Hold> downgradeAsync() {
        try {
            end();
        } catch (LockLostException ended) {
            return CompletableFuture.failedFuture(ended);
        }
        Hold mine = reader();
        CompletableFuture<Hold> reader = hold.downgradeAsync().thenApply(done -> mine);
        // However the user completes it (cancel, orTimeout, ...), the hold is not wanted.
        Futures.onDone(reader, (granted, failure) -> {
            if (granted != mine) {
                release();
            }
        });
        return reader;
    }

    /** From here on this is no writer's hold any more. */
    private void end() {
        ensureValid(Duration.ZERO);
        if (!downgraded.compareAndSet(false, true)) {
            throw ended();
        }
        states.ended();
        listening.forEach(Subscription::close);
    }

    /** Gives the place up: it is not known whether others share the lock by now. */
    private void release() {
        var unused = to().releaseAsync();
    }

    private Hold reader() {
        return new ForwardingHold(to()) {};
    }

    @Override
    public HoldState state() {
        return downgraded.get() ? HoldState.RELEASED : super.state();
    }

    @Override
    public Duration remaining() {
        return downgraded.get() ? Duration.ZERO : super.remaining();
    }

    @Override
    public void ensureValid(Duration atLeast) {
        if (downgraded.get()) {
            throw ended();
        }
        super.ensureValid(atLeast);
    }

    @Override
    public Subscription onLost(Runnable listener) {
        AtomicBoolean ended = downgraded; // not this handle, which may have to be found forgotten
        return hold.onLost(listener, () -> {
            if (!ended.get()) {
                listener.run();
            }
        });
    }

    @Override
    public Subscription onState(Consumer<HoldState> listener) {
        return states.add(listener);
    }

    /** Ends with a downgrade: from then on, the listener could not release what is asked for by closing this handle. */
    @Override
    public Subscription onReleaseRequested(Consumer<ReleaseRequest> listener) {
        Set<Subscription> all = listening; // not this handle, which may have to be found forgotten
        Subscription added = super.onReleaseRequested(listener);
        all.add(added);
        if (downgraded.get()) {
            added.close();
        }
        return () -> {
            all.remove(added);
            added.close();
        };
    }

    @Override
    public void close() {
        if (!downgraded.get()) {
            super.close();
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return downgraded.get() ? CompletableFuture.completedFuture(null) : super.releaseAsync();
    }

    private LockLostException ended() {
        return new LockLostException(
                this + " was downgraded; its reader's hold " + (hold.hasEnded() ? "has ended, too" : "goes on"));
    }

    /**
     * The states of the writer's hold, for listeners: those of the hold behind the handle, and in the end RELEASED if it
     * is downgraded. Refers to no handle, which may have to be found forgotten. Any thread.
     */
    private static final class States {

        private final FencedHold hold;
        private final AtomicBoolean downgraded;
        private final Listeners<HoldState> listeners;
        private final AtomicBoolean listenedTo = new AtomicBoolean();

        States(FencedHold hold, AtomicBoolean downgraded) {
            this.hold = hold;
            this.downgraded = downgraded;
            this.listeners = hold.newListeners();
        }

        Subscription add(Consumer<HoldState> listener) {
            if (listenedTo.compareAndSet(false, true)) {
                hold.runOnLoop(this::watch);
            }
            return listeners.add(listener, this::present);
        }

        private void watch() {
            hold.addWatcher(state -> listeners.publish(present(state)));
            listeners.publish(present()); // to one that was added meanwhile
        }

        void ended() {
            if (listenedTo.get()) {
                hold.runOnLoop(() -> listeners.publish(HoldState.RELEASED));
            }
        }

        private HoldState present() {
            return present(hold.state());
        }

        private HoldState present(HoldState behind) {
            return downgraded.get() ? HoldState.RELEASED : behind;
        }
    }
}
