package io.baton.internal.lock;

import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.Eviction;
import io.baton.QueueEntry;
import io.baton.WriteHold;
import io.baton.WriteLock;
import io.baton.recipe.Resource;
import io.baton.spi.Claim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReadWriteLock;

/** A read/write lock: readers and writers stand in one line, with shared and exclusive claims. Any thread. */
public final class QueuedReadWriteLock implements DistributedReadWriteLock {

    private final Resource lock;
    private final QueuedLock read;
    private final Write write;

    public QueuedReadWriteLock(Resource lock, LockParts parts) {
        this.lock = lock;
        this.read = new QueuedLock(lock, Claim.SHARED, parts);
        this.write = new Write(
                lock,
                new Acquirer<>(lock, new LineContender(lock.line(), Claim.EXCLUSIVE), parts, DefaultWriteHold::new));
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public DistributedLock read() {
        return read;
    }

    @Override
    public WriteLock write() {
        return write;
    }

    @Override
    public List<QueueEntry> queue() throws InterruptedException {
        return read.queue();
    }

    @Override
    public boolean evict(QueueEntry who, String reason) throws InterruptedException {
        return read.evict(who, reason);
    }

    @Override
    public Optional<Eviction> lastEviction() throws InterruptedException {
        return read.lastEviction();
    }

    @Override
    public ReadWriteLock asReadWriteLock() {
        return new ReentrantReadWriteView(lock.name(), read.acquirer(), write.acquirer());
    }

    private record Write(Resource lock, Acquirer<WriteHold> acquirer) implements WriteLock {

        @Override
        public String name() {
            return lock.name();
        }

        @Override
        public WriteHold acquire() throws InterruptedException {
            return acquirer.acquire();
        }

        @Override
        public Optional<WriteHold> tryAcquire() throws InterruptedException {
            return acquirer.tryAcquire();
        }

        @Override
        public Optional<WriteHold> tryAcquire(Duration timeout) throws InterruptedException {
            return acquirer.tryAcquire(timeout);
        }

        @Override
        public CompletableFuture<WriteHold> acquireAsync() {
            return acquirer.acquireAsync();
        }
    }
}
