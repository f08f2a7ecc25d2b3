package io.baton;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks on one line: any number of readers hold at the same time, or one writer. It is fair in both
 * directions. Contenders are served in the order in which they joined, and readers that stand next to each other hold
 * together. A reader never overtakes a writer that waits.
 *
 * <p><b>Guarantees.</b> As long as the hold of a writer is valid, no other contender is granted. As long as that of a
 * reader is valid, no writer is. A writer's token is larger than the token of every hold before it. {@link Hold} says
 * when a hold is valid.
 *
 * <p><b>Not supported.</b> A reader cannot become a writer: two of them would wait for each other for ever. Release
 * the hold, acquire {@link #write()}, and check again what was read. The other direction is {@link
 * WriteHold#downgrade()}.
 */
public interface DistributedReadWriteLock {

    /** Returns the name on which contenders agree, or the path. */
    String name();

    /**
     * Returns the lock of the readers. It is not re-entrant. {@link DistributedLock#requestRelease} asks the contender
     * that stands first, be it a reader or a writer.
     */
    DistributedLock read();

    /** Returns the lock of the writers. It is not re-entrant. */
    WriteLock write();

    /**
     * Returns the contenders in the line, in order, with their claims. Costs one read for the line and one per entry.
     *
     * @throws StoreUnavailableException if the store does not answer within {@link CoordinatorOptions#requestTimeout()}
     */
    List<QueueEntry> queue() throws InterruptedException;

    /** As {@link DistributedLock#evict}. */
    @CheckReturnValue
    boolean evict(QueueEntry who, String reason) throws InterruptedException;

    /** As {@link DistributedLock#lastEviction}. */
    Optional<Eviction> lastEviction() throws InterruptedException;

    /**
     * Returns this lock as a {@link ReadWriteLock} that is re-entrant per thread. A thread that holds the write lock
     * may also take the read lock; if it then unlocks the write lock first, its hold is downgraded. A thread that holds
     * the read lock only, and asks for the write lock, gets an {@link IllegalMonitorStateException} at once.
     *
     * <p>Each call returns an adapter with owners of its own. Code that acquires re-entrantly must share one adapter.
     */
    ReadWriteLock asReadWriteLock();
}
