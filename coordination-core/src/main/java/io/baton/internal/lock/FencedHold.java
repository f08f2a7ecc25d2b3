package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.internal.callback.Listeners;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.recipe.Texts;
import io.baton.spi.Entry;
import io.baton.spi.EntryHold;
import io.baton.spi.Guarantees;
import io.baton.spi.Peer;
import io.baton.spi.Proof;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A hold, as its owner sees it. The status is one immutable value in one reference; LOST and RELEASED are final. The
 * thread that first sees the deadline passed sets LOST, and no later proof undoes that.
 */
public final class FencedHold implements Hold, EntryHold {

    /** The acquisition behind the hold. Any thread. */
    interface Owner {
        /** The deadline was seen to have passed. */
        void expired();

        /** The clocks were seen to disagree: a proof is needed. */
        void doubted();

        /** Gives the entry up; the future completes on the loop once it is gone. */
        CompletableFuture<Void> release();

        /** Calls the listener with each request to release this hold, until that has ended. */
        Subscription onReleaseRequested(FencedHold hold, Consumer<ReleaseRequest> listener);

        /** Makes the entry's exclusive claim a shared one; the future completes on the loop. */
        CompletableFuture<Void> downgrade();
    }

    private static final String UNPROVEN = "the store did not confirm the session before the hold's deadline";

    private final Resource of;
    private final Entry entry;
    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final Duration closeTimeout;
    private final Guarantees guarantees;
    private final Owner owner;
    private final long turn;
    private final GuardedWrites guardedWrites = new GuardedWrites();
    private final Listeners<HoldState> listeners;
    private final AtomicReference<Status> status;
    // The proof whose doubt was reported last. Each is reported once, as the session goes on trying until it has a
    // better one. A late check may report a proof that has been replaced meanwhile.
    private final AtomicReference<@Nullable Proof> doubtTold = new AtomicReference<>();
    private volatile boolean closed;
    private Consumer<HoldState> watcher = state -> {};

    FencedHold(
            Resource of,
            Entry entry,
            Proof proof,
            ClientLoop loop,
            Callbacks callbacks,
            Duration closeTimeout,
            Guarantees guarantees,
            Owner owner,
            long turn) {
        this.of = of;
        this.entry = entry;
        this.loop = loop;
        this.callbacks = callbacks;
        this.closeTimeout = closeTimeout;
        this.guarantees = guarantees;
        this.owner = owner;
        this.turn = turn;
        this.listeners = newListeners();
        this.status = new AtomicReference<>(new Status(HoldState.HELD, proof, "", 0));
    }

    /** Returns the hold that a program was given, perhaps through a handle; empty if it is not Baton's. */
    public static Optional<FencedHold> of(@Nullable Hold given) {
        if (given instanceof ForwardingHold handle) {
            return of(handle.to());
        }
        return given instanceof FencedHold hold ? Optional.of(hold) : Optional.empty();
    }

    @Override
    public String name() {
        return of.name();
    }

    @Override
    public long token() {
        return entry.token();
    }

    @Override
    public long turn() {
        return turn;
    }

    @Override
    public Guarantees guarantees() {
        return guarantees;
    }

    /** Returns the transactions that this hold guards. */
    GuardedWrites guardedWrites() {
        return guardedWrites;
    }

    @Override
    public Peer peer() {
        return entry.peer();
    }

    /** Returns whether it was granted to this attempt. */
    boolean ownedBy(AcquireAttempt candidate) {
        return owner == candidate;
    }

    /** Returns whether it was granted by the coordinator of this loop. */
    boolean runsOn(ClientLoop candidate) {
        return loop == candidate;
    }

    @Override
    public HoldState state() {
        while (true) {
            Status seen = status();
            if (seen.ended()) {
                return seen.state();
            }
            long now = loop.nanoTime();
            if (seen.proof().remainingNanos(now) <= 0) {
                if (status.compareAndSet(seen, seen.lost(UNPROVEN, now))) {
                    owner.expired();
                }
            } else if (seen.proof().doubtful(now, loop.wallMillis())) {
                if (!seen.proof().equals(doubtTold.getAndSet(seen.proof()))) {
                    owner.doubted();
                }
                return HoldState.JEOPARDY;
            } else {
                return seen.state();
            }
        }
    }

    /** Returns whether it is lost or released by now. */
    boolean hasEnded() {
        HoldState now = state();
        return now == HoldState.LOST || now == HoldState.RELEASED;
    }

    @Override
    public Duration remaining() {
        if (hasEnded()) {
            return Duration.ZERO;
        }
        return Duration.ofNanos(
                Math.max(0, status().proof().carefulRemainingNanos(loop.nanoTime(), loop.wallMillis())));
    }

    @Override
    public void ensureValid(Duration atLeast) {
        HoldState now = state();
        if (now == HoldState.LOST) {
            Status lost = status();
            Duration since = Duration.ofNanos(loop.nanoTime() - lost.lostNanos());
            throw new LockLostException(this + " was lost " + Texts.of(since) + " ago: " + lost.why());
        }
        if (now == HoldState.RELEASED) {
            throw new LockLostException(this + " was released");
        }
        Duration left = remaining();
        if (left.compareTo(atLeast) < 0) {
            throw new LockLostException(this + " is certain to be valid for " + Texts.of(left) + " only, less than the "
                    + Texts.of(atLeast) + " asked for; it is not known to be lost");
        }
    }

    @Override
    public Subscription onLost(Runnable listener) {
        return onLost(listener, listener);
    }

    /**
     * As {@link #onLost(Runnable)}.
     *
     * @param named the user's code that the listener calls
     */
    Subscription onLost(Object named, Runnable listener) {
        Consumer<HoldState> ifLost = state -> {
            if (state == HoldState.LOST && !closed) {
                listener.run();
            }
        };
        return listeners.add(named, ifLost, this::state);
    }

    @Override
    public Subscription onState(Consumer<HoldState> listener) {
        return listeners.add(listener, this::state);
    }

    @Override
    public Subscription onReleaseRequested(Consumer<ReleaseRequest> listener) {
        return owner.onReleaseRequested(this, listener);
    }

    @Override
    public void close() {
        CompletableFuture<Void> removed = startRelease();
        if (!Callbacks.inside()) {
            Futures.awaitDone(closeTimeout, removed);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return callbacks.completeInCallback(startRelease());
    }

    /** Releases the hold; the future completes on the loop once the entry is gone. The same each time. */
    public CompletableFuture<Void> startRelease() {
        // Checks the clock first: a hold whose deadline has passed unnoticed is lost, not released.
        state();
        closed = true;
        release();
        return owner.release();
    }

    /**
     * Makes the exclusive claim a shared one, once no write that this hold guards is under way. Its handle guards none
     * from now on. Fails if one of them may be applied later, beside readers.
     */
    CompletableFuture<Void> downgrade() {
        return guardedWrites
                .ended()
                .thenCompose(none -> guardedWrites.areInDoubt() ? undecidedWrite() : owner.downgrade());
    }

    private CompletableFuture<Void> undecidedWrite() {
        return CompletableFuture.failedFuture(new CoordinationException("the outcome of a write guarded by " + this
                + " is unknown; as it could still be applied beside readers, the hold is released"
                + " instead of downgraded"));
    }

    /** As {@link #downgrade}; the future completes in a callback. */
    CompletableFuture<Void> downgradeAsync() {
        return callbacks.completeInCallback(downgrade());
    }

    /** Returns a list of listeners to the states of this hold, for a handle that has other states at times. */
    Listeners<HoldState> newListeners() {
        return new Listeners<>(loop, callbacks, this, state -> state == HoldState.LOST);
    }

    /** Runs the task on the loop. */
    void runOnLoop(Runnable task) {
        loop.post(task);
    }

    // ---- what the acquisition does to its hold, on the loop

    /** Marks the hold released, unless it is lost. */
    public void release() {
        updateUnlessEnded(seen -> seen.with(HoldState.RELEASED));
    }

    /** Marks the hold lost, unless it is released. */
    void markLost(String why) {
        updateUnlessEnded(seen -> seen.lost(why, loop.nanoTime()));
    }

    /** Marks the hold lost, as no proof came in time. */
    void markExpired() {
        markLost(UNPROVEN);
    }

    /** Sets whether the hold is in contact. */
    void setInContact(boolean connected) {
        updateUnlessEnded(seen -> seen.with(connected ? HoldState.HELD : HoldState.JEOPARDY));
    }

    /** Returns whether the store is in reach, as far as is known. */
    boolean inContact() {
        return status().state() == HoldState.HELD;
    }

    /** Moves the deadline, unless the old one has passed. */
    void extend(Proof better) {
        updateUnlessEnded(seen -> {
            boolean inTime = seen.proof().remainingNanos(loop.nanoTime()) > 0;
            return inTime && better.betterThan(seen.proof()) ? seen.with(better) : seen;
        });
    }

    /** Takes over a proof with an earlier deadline, as the store has granted a smaller timeout than before. */
    void shorten(Proof present) {
        updateUnlessEnded(seen -> seen.proof().betterThan(present) ? seen.with(present) : seen);
    }

    private void updateUnlessEnded(UnaryOperator<Status> change) {
        status.updateAndGet(seen -> seen.ended() ? seen : change.apply(seen));
    }

    private Status status() {
        return Objects.requireNonNull(status.get());
    }

    /** Returns why it was lost; empty if it was not. */
    String whyLost() {
        return status().why();
    }

    /** Returns the nanoseconds to the deadline; zero once lost. */
    long remainingNanos() {
        Status seen = status();
        return seen.state() == HoldState.LOST ? 0 : seen.proof().remainingNanos(loop.nanoTime());
    }

    /** Adds a watcher, called with each state before the listeners are; some states repeatedly. On the loop. */
    void addWatcher(Consumer<HoldState> watching) {
        watcher = watcher.andThen(watching);
    }

    /** Notifies the watcher and the listeners of the present state. On the loop. */
    void notifyListeners() {
        HoldState now = state();
        watcher.accept(now);
        listeners.publish(now);
    }

    @Override
    public String toString() {
        return of + " with token " + token() + (turn == 0 ? "" : ", turn " + turn);
    }

    private record Status(HoldState state, Proof proof, String why, long lostNanos) {

        boolean ended() {
            return state == HoldState.LOST || state == HoldState.RELEASED;
        }

        Status with(HoldState next) {
            return new Status(next, proof, why, lostNanos);
        }

        Status with(Proof next) {
            return new Status(state, next, why, lostNanos);
        }

        Status lost(String reason, long nowNanos) {
            return new Status(HoldState.LOST, proof, reason, nowNanos);
        }
    }
}
