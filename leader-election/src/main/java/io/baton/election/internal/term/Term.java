package io.baton.election.internal.term;

import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.election.Leadership;
import io.baton.election.StopReason;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerGuard;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A leadership, as its work sees it. Any thread. */
public final class Term implements Leadership {

    private final Hold hold;
    private final Callbacks callbacks;
    private final Wishes wishes;
    private final AtomicReference<@Nullable StopReason> reason = new AtomicReference<>();
    private final CompletableFuture<StopReason> told = new CompletableFuture<>();
    private final Set<StopListener> stopListeners = Collections.synchronizedSet(new LinkedHashSet<>());
    private volatile @Nullable Thread worker;

    /** The work's requests to the candidacy. */
    public interface Wishes {
        CompletableFuture<Void> resign();

        CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout);
    }

    public Term(Hold hold, Callbacks callbacks, Wishes wishes) {
        this.hold = hold;
        this.callbacks = callbacks;
        this.wishes = wishes;
    }

    @Override
    public String election() {
        return hold.name();
    }

    @Override
    public long term() {
        return hold.token();
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
    public Guard guard() {
        return Guard.held(hold);
    }

    @Override
    public Optional<StopReason> stopReason() {
        return Optional.ofNullable(reason.get());
    }

    @Override
    public Subscription onStop(Consumer<StopReason> listener) {
        StopListener added = new StopListener(listener);
        stopListeners.add(added);
        if (told.isDone()) {
            // Perhaps added too late to be among those that are told.
            added.tell(told.join());
        }
        return () -> stopListeners.remove(added);
    }

    @Override
    public StopReason awaitStop() throws InterruptedException {
        try {
            StopReason why = Futures.interruptibly(told);
            // The interrupt precedes the completion, so it has arrived by now.
            if (isOnWorkThread()) {
                Thread.interrupted();
            }
            return why;
        } catch (InterruptedException asked) {
            StopReason why = reason.get();
            if (why == null || !isOnWorkThread()) {
                throw asked;
            }
            return why;
        }
    }

    @Override
    public CompletableFuture<Void> resign() {
        return wishes.resign();
    }

    @Override
    public CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout) {
        return wishes.handOverAsync(candidateId, timeout);
    }

    // ---- used by the candidacy, on the loop

    Hold hold() {
        return hold;
    }

    /** Sets the thread of the work. */
    void setWorkThread(Thread thread) {
        worker = thread;
    }

    /** Stops the work; the first reason counts. */
    void stop(StopReason why) {
        if (reason.compareAndSet(null, why)) {
            Thread thread = worker;
            if (thread != null) {
                thread.interrupt();
            }
            told.complete(why);
            List.copyOf(stopListeners).forEach(each -> each.tell(why));
        }
    }

    /** Runs this after the notification to stop, on the loop; at once if that has happened. */
    public void afterStopNotified(Runnable action) {
        Futures.onDone(told, (why, failure) -> action.run());
    }

    public boolean isOnWorkThread() {
        return Thread.currentThread().equals(worker);
    }

    /** Returns whether the work may start: it was not stopped, and the hold is not lost. */
    public boolean isActive() {
        HoldState state = hold.state();
        return reason.get() == null && state != HoldState.LOST && state != HoldState.RELEASED;
    }

    @Override
    public String toString() {
        return "election '" + election() + "', term " + term();
    }

    /** A listener that is told once, unless it is removed before that. */
    private final class StopListener {

        private final Consumer<StopReason> listener;
        private final ListenerGuard guard;

        StopListener(Consumer<StopReason> listener) {
            this.listener = listener;
            this.guard = new ListenerGuard(listener, Term.this);
        }

        void tell(StopReason why) {
            callbacks.runUrgently(() -> {
                if (stopListeners.remove(this)) {
                    guard.run(() -> listener.accept(why));
                }
            });
        }
    }
}
