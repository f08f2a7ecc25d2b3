package io.baton.cli.lock;

import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.SessionLostException;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Acquires the lock within the user's time limit. If the session ends meanwhile, it joins the line again. */
final class LockWait {

    /** Prevents a busy loop when sessions end as soon as they are opened. */
    private static final long PAUSE_MILLIS = 200;

    private final String name;
    private final @Nullable Duration timeout;
    private final boolean once;
    private final long started = System.nanoTime();

    /** Starts the time limit. */
    LockWait(String name, @Nullable Patience patience) {
        this.name = name;
        this.timeout = patience == null ? null : patience.timeout;
        this.once = patience != null && patience.once;
    }

    Hold run(DistributedLock lock) throws InterruptedException {
        while (true) {
            try {
                return attempt(lock);
            } catch (SessionLostException whileWaiting) {
                Report.line("the session ended while waiting for '" + name + "': in line again, at its end");
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private Hold attempt(DistributedLock lock) throws InterruptedException {
        if (once) {
            return lock.tryAcquire()
                    .orElseThrow(
                            () -> new Failure(Exit.NOT_ACQUIRED, "'" + name + "' is taken, and --try does not wait"));
        } else if (timeout == null) {
            return lock.acquire();
        }
        Duration left = timeout.minusNanos(System.nanoTime() - started);
        Failure late =
                new Failure(Exit.NOT_ACQUIRED, "'" + name + "' was not free within " + DurationOption.format(timeout));
        if (left.isNegative() || left.isZero()) {
            throw late;
        }
        return lock.tryAcquire(left).orElseThrow(() -> late);
    }
}
