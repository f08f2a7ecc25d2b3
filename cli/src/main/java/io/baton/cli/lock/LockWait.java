package io.baton.cli.lock;

import io.baton.CoordinatorClosedException;
import io.baton.LockLostException;
import io.baton.SessionLostException;
import io.baton.cli.CommandTimeout;
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

    private final @Nullable CommandTimeout limit;
    private final boolean once;
    private boolean placeLost;

    /** Starts the time limit. */
    LockWait(@Nullable Patience patience) {
        this.limit = patience == null || patience.timeout == null ? null : CommandTimeout.of(patience.timeout);
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
        if (!once && limit == null) {
            return wanted.acquire();
        }
        Duration left = limit == null ? Duration.ZERO : limit.left(Duration.ZERO);
        if (limit != null && left.isZero() && placeLost) {
            throw refused("the place in line was lost");
        }
        // Also if connecting has taken all of the time: only the store knows whether the lock is taken.
        Optional<Held> held = wanted.tryAcquire(left);
        if (held.isPresent()) {
            return held.get();
        }
        throw refused(wanted.obstacle());
    }

    private Failure refused(String why) {
        return new Failure(
                Exit.NOT_ACQUIRED,
                limit == null
                        ? why + ", and --try does not wait"
                        : "gave up after " + DurationOption.format(limit.all()) + ": " + why);
    }
}
