package io.baton.cli.lock;

import io.baton.LockLostException;
import io.baton.SessionLostException;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Acquires within the user's time limit. If the session ends meanwhile, it joins the line again. */
final class LockWait {

    /** Prevents a busy loop when sessions end as soon as they are opened. */
    private static final long PAUSE_MILLIS = 200;

    private final @Nullable Duration timeout;
    private final boolean once;
    private final long started = System.nanoTime();

    /** Starts the time limit. */
    LockWait(@Nullable Patience patience) {
        this.timeout = patience == null ? null : patience.timeout;
        this.once = patience != null && patience.once;
    }

    Held run(Acquirable wanted) throws InterruptedException {
        while (true) {
            try {
                return attempt(wanted);
            } catch (SessionLostException | LockLostException whileWaiting) {
                // Of several locks, the first may be lost while the others are acquired.
                Report.line("the place in line was lost while waiting: in line again, at its end");
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private Held attempt(Acquirable wanted) throws InterruptedException {
        if (once) {
            return wanted.tryAcquire(Duration.ZERO)
                    .orElseThrow(() -> notAcquired(wanted.taken() + ", and --try does not wait"));
        } else if (timeout == null) {
            return wanted.acquire();
        }
        Failure late = notAcquired("gave up after " + DurationOption.format(timeout) + ": " + wanted.taken());
        Duration left = timeout.minusNanos(System.nanoTime() - started);
        if (left.isNegative() || left.isZero()) {
            throw late;
        }
        return wanted.tryAcquire(left).orElseThrow(() -> late);
    }

    private static Failure notAcquired(String message) {
        return new Failure(Exit.NOT_ACQUIRED, message);
    }
}
