package io.baton;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A {@link DistributedLock} as a {@link Lock}; tells the hold behind it, for its token and validity. */
public interface LockView extends Lock {

    /** The calling thread's hold, empty if it has none. */
    Optional<Hold> current();

    @CheckReturnValue
    @Override
    boolean tryLock();

    @CheckReturnValue
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;
}
