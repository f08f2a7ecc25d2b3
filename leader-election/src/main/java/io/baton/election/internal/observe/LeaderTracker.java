package io.baton.election.internal.observe;

import io.baton.CoordinationException;
import io.baton.Subscription;
import io.baton.election.Leader;
import io.baton.election.LeaderObserver;
import io.baton.election.internal.line.CandidateText;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerQueue;
import io.baton.spi.Entry;
import java.time.Duration;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the present leader, and passes on each change. On the loop, except the methods of {@link LeaderObserver}. */
public final class LeaderTracker implements LeaderObserver {

    static final int MAX_PENDING = 1_000;

    private final ElectionLine line;
    /** Changed on the loop only, and muted in any thread. */
    private final Set<ListenerQueue<Optional<Leader>>> listeners = new CopyOnWriteArraySet<>();

    private final Set<Waiter> waiting = new LinkedHashSet<>();
    private Subscription observation = () -> {};
    private Subscription ending = () -> {};
    private boolean known;
    private boolean over;
    private volatile boolean muted;
    private volatile @Nullable Leader leader;

    public LeaderTracker(ElectionLine line) {
        this.line = line;
    }

    /** Starts. Any thread. */
    public void start() {
        ending = line.beforeClosing(this::end);
        observation = line.observe(this::seen);
    }

    @Override
    public Optional<Leader> leader() {
        return Optional.ofNullable(leader);
    }

    @Override
    public Subscription onChange(Consumer<Optional<Leader>> listener) {
        ListenerQueue<Optional<Leader>> added = new ListenerQueue<>(
                line.callbacks(), "who leads election '" + line.name() + "'", listener, LeaderTracker::queue);
        line.loop().post(() -> {
            if (!over) {
                listeners.add(added);
                if (muted) {
                    // The call that closes the observer has not found this listener among the others.
                    added.close();
                } else if (known) {
                    added.offer(leader());
                }
            }
        });
        return () -> {
            added.close();
            line.loop().post(() -> listeners.remove(added));
        };
    }

    @Override
    public Leader awaitLeader() throws InterruptedException {
        Waiter waiter = next();
        try {
            return Futures.interruptibly(waiter.first);
        } finally {
            remove(waiter);
        }
    }

    @Override
    public Optional<Leader> awaitLeader(Duration timeout) throws InterruptedException {
        Waiter waiter = next();
        try {
            boolean done = Futures.awaitDone(timeout, waiter.first);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return done ? Optional.of(Futures.interruptibly(waiter.first)) : Optional.empty();
        } finally {
            remove(waiter);
        }
    }

    @Override
    public void close() {
        muted = true;
        mute();
        line.loop().post(this::end);
    }

    private Waiter next() {
        Waiter waiter = new Waiter();
        boolean open = line.loop().post(() -> {
            Leader now = leader;
            if (over) {
                waiter.first.completeExceptionally(closed());
            } else if (now != null) {
                waiter.first.complete(now);
            } else {
                waiting.add(waiter);
            }
        });
        if (!open) {
            waiter.first.completeExceptionally(closed());
        }
        return waiter;
    }

    private void remove(Waiter waiter) {
        line.loop().post(() -> waiting.remove(waiter));
    }

    private CompletionStage<Void> end() {
        if (!over) {
            over = true;
            observation.close();
            ending.close();
            mute();
            listeners.clear();
            waiting.forEach(each -> each.first.completeExceptionally(closed()));
            waiting.clear();
        }
        return CompletableFuture.completedStage(null);
    }

    /** Any thread. */
    private void mute() {
        listeners.forEach(ListenerQueue::close);
    }

    private CoordinationException closed() {
        return new CoordinationException("the observer of election '" + line.name() + "' is closed");
    }

    private void seen(Optional<Entry> first) {
        if (over) {
            return;
        }
        Optional<Leader> now = first.map(CandidateText::decode);
        known = true;
        leader = now.orElse(null);
        listeners.forEach(each -> each.offer(now));
        now.ifPresent(somebody -> {
            List.copyOf(waiting).forEach(each -> each.first.complete(somebody));
            waiting.clear();
        });
    }

    /** A listener that falls too far behind gets only the newest. */
    public static <T> void queue(Deque<T> pending, T next) {
        if (pending.size() >= MAX_PENDING) {
            pending.clear();
        }
        pending.add(next);
    }

    /** A caller that waits for a leader. */
    private static final class Waiter {
        private final CompletableFuture<Leader> first = new CompletableFuture<>();
    }
}
