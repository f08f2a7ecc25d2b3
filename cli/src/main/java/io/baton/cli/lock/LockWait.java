package io.baton.cli.lock;

import io.baton.CoordinatorClosedException;
import io.baton.LockLostException;
import io.baton.SessionLostException;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Acquires within the user's time limit. If the session ends meanwhile, it joins the line again. */
final class LockWait {

    /** Prevents a busy loop when sessions end as soon as they are opened. */
    private static final long PAUSE_MILLIS = 200;

    private final @Nullable Duration timeout;
    private final boolean once;
    private final long started = System.nanoTime();
    private boolean placeLost;

    /** Starts the time limit. */
    LockWait(@Nullable Patience patience) {
        this.timeout = patience == null ? null : patience.timeout;
        this.once = patience != null && patience.once;
    }

    Held run(Acquirable wanted) throws InterruptedException {
        while (true) {
            try {
                return attempt(wanted);
            } catch (CoordinatorClosedException over) {
                throw over;
            } catch (SessionLostException | LockLostException whileWaiting) {
                // Of several locks, the first may be lost while the others are acquired.
                placeLost = true;
                Report.line("the place in line was lost while waiting: in line again, at its end");
                Thread.sleep(PAUSE_MILLIS);
            }
        }
    }

    private Held attempt(Acquirable wanted) throws InterruptedException {
        if (!once && timeout == null) {
            return wanted.acquire();
        }
        Duration left = timeout == null ? Duration.ZERO : timeout.minusNanos(System.nanoTime() - started);
        boolean late = timeout != null && (left.isNegative() || left.isZero());
        if (late && placeLost) {
            throw refused("the place in line was lost");
        }
        // Also if connecting has taken all of the time: only the store knows whether the lock is taken.
        Optional<Held> held = wanted.tryAcquire(late ? Duration.ZERO : left);
        if (held.isPresent()) {
            return held.get();
        }
        throw refused(wanted.obstacle());
    }

    private Failure refused(String why) {
        return new Failure(
                Exit.NOT_ACQUIRED,
                timeout == null
                        ? why + ", and --try does not wait"
                        : "gave up after " + DurationOption.format(timeout) + ": " + why);
    }
}
