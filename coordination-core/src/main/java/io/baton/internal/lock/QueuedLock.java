package io.baton.internal.lock;

import io.baton.DistributedLock;
import io.baton.Eviction;
import io.baton.Hold;
import io.baton.LockDelays;
import io.baton.LockOptions;
import io.baton.LockView;
import io.baton.PendingRelease;
import io.baton.QueueEntry;
import io.baton.Released;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A lock whose contenders stand in one line, all with the same claim. Any thread. */
public final class QueuedLock implements DistributedLock {

    private final Resource lock;
    private final Acquirer<Hold> acquirer;
    private final LineQueue queue;
    private final Evictions evictions;
    private final ReleaseRequests releaseRequests;
    private final DelayLookup delays;

    /** Creates the lock of this resource, for contenders with this claim. */
    public QueuedLock(Resource lock, Claim claim, LockParts parts) {
        this(lock, new Acquirer<>(lock, new LineContender(lock.line(), claim), parts, Function.identity()), parts);
    }

    /** Creates the mutex of this resource, with these options. */
    public static QueuedLock withOptions(Resource lock, LockOptions options, LockParts parts) {
        if (options.shares()) {
            return new QueuedLock(
                    lock,
                    new Acquirer<>(parts.acquisitions().cohort(lock, options), parts, Function.identity()),
                    parts);
        }
        if (options.delays()) {
            var contender = new DelayingContender(lock, options, parts.acquisitions(), parts.troubles());
            return new QueuedLock(lock, new Acquirer<>(lock, contender, parts, Function.identity()), parts);
        }
        return new QueuedLock(lock, Claim.EXCLUSIVE, parts);
    }

    private QueuedLock(Resource lock, Acquirer<Hold> acquirer, LockParts parts) {
        this.lock = lock;
        this.acquirer = acquirer;
        this.queue = new LineQueue(lock, parts.requests());
        this.evictions = new Evictions(lock, List.of(lock.line()), parts);
        this.releaseRequests = parts.acquisitions().releaseRequests();
        this.delays = new DelayLookup(lock, parts);
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public Hold acquire() throws InterruptedException {
        return acquirer.acquire();
    }

    @Override
    public Optional<Hold> tryAcquire() throws InterruptedException {
        return acquirer.tryAcquire();
    }

    @Override
    public Optional<Hold> tryAcquire(Duration timeout) throws InterruptedException {
        return acquirer.tryAcquire(timeout);
    }

    /** As {@link #tryAcquire()}, without a thread that waits. */
    public CompletableFuture<Optional<Hold>> tryAcquireAsync() {
        return acquirer.tryAcquireAsync();
    }

    @Override
    public CompletableFuture<Hold> acquireAsync() {
        return acquirer.acquireAsync();
    }

    @Override
    public List<QueueEntry> queue() throws InterruptedException {
        return queue.read();
    }

    @Override
    public CompletableFuture<Released> requestRelease(String reason, Duration timeout) {
        return releaseRequests.ask(lock, reason, timeout);
    }

    @Override
    public Optional<PendingRelease> pendingRelease() throws InterruptedException {
        return Futures.interruptibly(releaseRequests.pending(lock));
    }

    @Override
    public boolean evict(QueueEntry who, String reason) throws InterruptedException {
        return evictions.evict(who, reason);
    }

    /** As {@link #evict}, without a thread that waits. Completes on the loop. */
    public CompletableFuture<Boolean> evictAsync(QueueEntry who, String reason) {
        return evictions.evictAsync(who, reason);
    }

    @Override
    public Optional<Eviction> lastEviction() throws InterruptedException {
        return evictions.last();
    }

    @Override
    public Optional<LockDelays> delays() throws InterruptedException {
        return delays.read();
    }

    @Override
    public LockView asLock() {
        return new ReentrantView(this);
    }

    /** Returns what the views acquire with. */
    Acquirer<Hold> acquirer() {
        return acquirer;
    }
}
