package io.baton.internal;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads are about to bring about; far too long a wait fails the test. */
public final class Eventually {

    private static final Duration FAR_TOO_LONG = Duration.ofSeconds(60);

    private Eventually() {}

    public static void holds(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > FAR_TOO_LONG.toNanos()) {
                throw new AssertionError("waited in vain for " + FAR_TOO_LONG);
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }
}
