package io.baton.internal.lock;

import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.LockView;
import io.baton.QueueEntry;
import io.baton.internal.line.LineEntries;
import io.baton.internal.session.Requests;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.spi.Entry;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The lock: each call waits once in the line of its name, and leaves no state here. Any thread. */
public final class QueuedLock implements DistributedLock {

    /** A wait of this length is as good as unlimited, and fits into nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final Resource lock;
    private final Acquisitions acquisitions;
    private final Requests requests;
    private final Callbacks callbacks;
    private final HoldHandles handles;
    private final Duration requestTimeout;

    public QueuedLock(
            Resource lock,
            Acquisitions acquisitions,
            Requests requests,
            Callbacks callbacks,
            HoldHandles handles,
            Duration requestTimeout) {
        this.lock = lock;
        this.acquisitions = acquisitions;
        this.requests = requests;
        this.callbacks = callbacks;
        this.handles = handles;
        this.requestTimeout = requestTimeout;
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public Hold acquire() throws InterruptedException {
        return await(false, null).orElseThrow(IllegalStateException::new);
    }

    @Override
    public Optional<Hold> tryAcquire() throws InterruptedException {
        return await(true, requestTimeout);
    }

    @Override
    public Optional<Hold> tryAcquire(Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return tryAcquire();
        }
        return await(false, timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST);
    }

    /** As {@link #acquire}, but an interrupt is kept for later. */
    Hold acquireUninterruptibly() {
        return uninterruptibly(false, null).orElseThrow(IllegalStateException::new);
    }

    /** As {@link #tryAcquire()}, but an interrupt is kept for later. */
    Optional<Hold> tryAcquireUninterruptibly() {
        return uninterruptibly(true, requestTimeout);
    }

    private Optional<Hold> uninterruptibly(boolean noWait, @Nullable Duration limit) {
        Function<FencedHold, Hold> handle = handles.here();
        return Futures.uninterruptibly(acquisitions.begin(lock, noWait, limit).decision())
                .map(handle);
    }

    /** Waits for the loop's decision. An interrupt makes it decide at once; a hold granted by then is returned. */
    private Optional<Hold> await(boolean noWait, @Nullable Duration limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Function<FencedHold, Hold> handle = handles.here();
        Acquisition acquisition = acquisitions.begin(lock, noWait, limit);
        try {
            return Futures.interruptibly(acquisition.decision()).map(handle);
        } catch (InterruptedException asked) {
            acquisition.giveUp();
            Optional<Hold> decided = decidedIn(acquisition, asked).map(handle);
            if (decided.isEmpty()) {
                throw asked;
            }
            Thread.currentThread().interrupt();
            return decided;
        }
    }

    private static Optional<FencedHold> decidedIn(Acquisition acquisition, InterruptedException asked) {
        try {
            return Futures.uninterruptibly(acquisition.decision());
        } catch (Throwable failedAnyway) {
            asked.addSuppressed(failedAnyway);
            return Optional.empty();
        }
    }

    @Override
    public CompletableFuture<Hold> acquireAsync() {
        CompletableFuture<Hold> users = new CompletableFuture<>();
        Function<FencedHold, Hold> handle = handles.here();
        Acquisition acquisition;
        try {
            acquisition = acquisitions.begin(lock, false, null);
        } catch (Throwable tooMany) {
            users.completeExceptionally(tooMany);
            return users;
        }
        Futures.onDone(
                acquisition.decision(),
                (granted, failure) -> callbacks.runReliably(() -> {
                    if (failure != null) {
                        users.completeExceptionally(Futures.cause(failure));
                    } else if (!users.complete(granted.map(handle).orElse(null))) {
                        granted.ifPresent(FencedHold::release); // at once: a handle that nothing takes is no leak
                        acquisition.cancel();
                    }
                }));
        // However the user completes it (cancel, orTimeout, ...), the hold is not wanted.
        Futures.onDone(users, (hold, failure) -> {
            boolean ours = FencedHold.of(hold)
                    .filter(fenced -> fenced.ownedBy(acquisition))
                    .isPresent();
            if (!ours) {
                acquisition.cancel();
            }
        });
        return users;
    }

    @Override
    public List<QueueEntry> queue() throws InterruptedException {
        return Futures.interruptibly(requests.send("a look at the queue of lock '" + name() + "'", false, this::read));
    }

    private CompletionStage<List<QueueEntry>> read(Session session) {
        return LineEntries.readOnce(session, lock.line()).thenApply(QueuedLock::described);
    }

    private static List<QueueEntry> described(List<Entry> entries) {
        List<QueueEntry> queue = new ArrayList<>();
        for (Entry entry : entries) {
            queue.add(QueueEntry.of(entry, queue.isEmpty()));
        }
        return List.copyOf(queue);
    }

    @Override
    public LockView asLock() {
        return new ReentrantView(this);
    }
}
