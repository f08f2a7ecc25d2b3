package io.baton.internal.lock;

import io.baton.TooManyWaitersException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Where attempts to get a hold of one resource begin. Any thread. */
interface AcquireAttempts {

    /**
     * Begins an attempt.
     *
     * @param noWait whether it gives up instead of waiting behind others
     * @param limit how long it waits; null for no limit
     * @throws TooManyWaitersException if too many are under way
     */
    AcquireAttempt begin(boolean noWait, @Nullable Duration limit);
}
