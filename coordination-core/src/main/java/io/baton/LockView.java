package io.baton;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

/** A {@link DistributedLock} as a {@link Lock}. {@link #current} returns the hold behind it. */
public interface LockView extends Lock {

    /** Returns the calling thread's hold, for its token and validity; empty if it has none. */
    Optional<Hold> current();

    @CheckReturnValue
    @Override
    boolean tryLock();

    @CheckReturnValue
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;
}
