package io.baton.testkit.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for processes to end. An interrupt does not cut that short, and stays set. No thread of a pool is needed, unlike
 * for a process's future, which tests may have none left for.
 */
public final class ProcessEnd {

    private static final Duration FOR_EVER = Duration.ofDays(1_000);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 5_000_000;

    private ProcessEnd() {}

    /** Waits until this child has ended. */
    public static void await(Process child) {
        await(child, FOR_EVER);
    }

    /** Waits until this child has ended, at most for so long. */
    public static void await(Process child, Duration patience) {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean interrupted = Thread.interrupted();
        boolean waits = true;
        while (waits) {
            try {
                child.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                waits = false;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until a process has ended that need not be a child, and whose end nobody may notice.
     *
     * @throws IllegalStateException if it has not within a minute, as one that waits for a disk
     */
    static void await(long pid) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean interrupted = Thread.interrupted();
        while (!ProcessState.hasEnded(pid) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(POLL_NANOS);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!ProcessState.hasEnded(pid)) {
            throw new IllegalStateException("process " + pid + " was killed, and has not ended within " + PATIENCE);
        }
    }
}
