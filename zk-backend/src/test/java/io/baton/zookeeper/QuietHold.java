package io.baton.zookeeper;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** A hold that nobody touches, beside whatever else its coordinator does; looked at all the time by a thread of its own. */
final class QuietHold implements AutoCloseable {

    private static final Duration INTERVAL = Duration.ofMillis(10);

    private final Hold hold;
    private final Thread watcher = new Thread(this::watch, "quiet-hold");
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Duration least;
    private volatile HoldState worst = HoldState.HELD;

    QuietHold(Coordinator baton) throws InterruptedException {
        hold = baton.lock("quiet").acquire();
        least = hold.remaining();
        watcher.start();
    }

    /** The least that it was worth so far. */
    Duration least() {
        return least;
    }

    /** The worst that it said of itself so far. */
    HoldState worst() {
        return worst;
    }

    @Override
    public void close() throws InterruptedException {
        over.set(true);
        watcher.join();
        hold.close();
    }

    private void watch() {
        while (!over.get()) {
            Duration now = hold.remaining();
            HoldState state = hold.state();
            least = now.compareTo(least) < 0 ? now : least;
            worst = state.compareTo(worst) > 0 ? state : worst;
            try {
                Thread.sleep(INTERVAL.toMillis());
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }
}
