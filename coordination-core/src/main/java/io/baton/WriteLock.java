package io.baton;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The lock of the writers of a {@link DistributedReadWriteLock}. It fails as {@link DistributedLock} does. It is not
 * re-entrant.
 */
public interface WriteLock {

    /** Returns the name on which contenders agree, or the path. */
    String name();

    /** As {@link DistributedLock#acquire()}. */
    @CheckReturnValue
    WriteHold acquire() throws InterruptedException;

    /** As {@link DistributedLock#tryAcquire()}. */
    @CheckReturnValue
    Optional<WriteHold> tryAcquire() throws InterruptedException;

    /** As {@link DistributedLock#tryAcquire(Duration)}. */
    @CheckReturnValue
    Optional<WriteHold> tryAcquire(Duration timeout) throws InterruptedException;

    /** As {@link DistributedLock#acquireAsync()}. */
    @CheckReturnValue
    CompletableFuture<WriteHold> acquireAsync();
}
