package io.baton.chaos.nemesis;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Does what an operator of the store does, one thing after the other, beside everything else. Each is tried again until it
 * works: the servers may be in trouble just now.
 */
final class Operations implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long AFTER_FAILURE_MILLIS = 200;

    /** What servers still had to tell each other has been told by then. */
    private static final long LATE_MILLIS = 1_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread daemon = new Thread(task, "operator");
        daemon.setDaemon(true);
        return daemon;
    });
    private final Queue<Runnable> takenBack = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Throwable newest;

    /** Will do this. It may be done more than once. */
    void begin(Runnable work) {
        thread.execute(() -> untilItWorks(work));
    }

    /** Will do this, which takes back what was begun before, and once more with {@link #repeatTakenBack}. */
    void takeBack(Runnable work) {
        takenBack.add(work);
        begin(work);
    }

    /**
     * Repeats everything that {@link #takeBack} did. To be called when the servers are well: an earlier attempt without an
     * answer may have been applied after it, when a link came back. Waits until all has been done.
     */
    void repeatTakenBack() throws InterruptedException {
        await();
        if (!takenBack.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(LATE_MILLIS);
            for (Runnable work = takenBack.poll(); work != null; work = takenBack.poll()) {
                begin(work);
            }
            await();
        }
    }

    /**
     * Waits until all has been done.
     *
     * @throws IllegalStateException if that takes more than a minute, though the servers serve
     */
    void await() throws InterruptedException {
        try {
            thread.submit(() -> {}).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException stuck) {
            IllegalStateException failure = new IllegalStateException("the operator's work does not end", newest);
            failure.addSuppressed(stuck);
            throw failure;
        }
    }

    /** What has not been done will not be. */
    @Override
    public void close() {
        thread.shutdownNow();
    }

    private void untilItWorks(Runnable work) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                work.run();
                return;
            } catch (RuntimeException | Error notNow) {
                newest = notNow;
                pause();
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(AFTER_FAILURE_MILLIS);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
