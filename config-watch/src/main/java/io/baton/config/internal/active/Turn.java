package io.baton.config.internal.active;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time replace the state. Users' code runs in it, so it is not a lock. Code that applies revisions
 * does not wait for it; a callback reports when it is free. Any thread.
 */
public final class Turn {

    private final Semaphore free = new Semaphore(1, true);
    private final Runnable onFree;
    private volatile @Nullable Thread holder;

    /** Creates a free one. {@code onFree} runs when a thread that has waited for it has returned it or given up. */
    public Turn(Runnable onFree) {
        this.onFree = onFree;
    }

    /** Takes it, unless a thread has it or waits for it. */
    public boolean tryTake() {
        boolean taken = !free.hasQueuedThreads() && free.tryAcquire();
        if (taken) {
            holder = Thread.currentThread();
        }
        return taken;
    }

    /** Returns it after it was taken. */
    public void giveBack() {
        holder = null;
        free.release();
    }

    /** Returns whether the calling thread has it. */
    public boolean isMine() {
        return holder == Thread.currentThread();
    }

    /**
     * Runs this once it is free.
     *
     * @return false if it did not run, as others took too long or the caller was interrupted; the interrupt status is
     *     kept
     */
    public boolean run(Runnable action, Duration patience) {
        boolean taken = awaited(patience);
        try {
            if (taken) {
                holder = Thread.currentThread();
                action.run();
            }
            return taken;
        } finally {
            if (taken) {
                giveBack();
            }
            onFree.run();
        }
    }

    private boolean awaited(Duration patience) {
        try {
            return free.tryAcquire() || free.tryAcquire(TimeUnit.NANOSECONDS.convert(patience), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
