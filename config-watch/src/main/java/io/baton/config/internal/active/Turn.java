package io.baton.config.internal.active;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who may put another state in place: one at a time. Users' code runs in it, so it is no lock that a thread holds, and who applies
 * revisions does not wait for it: they are told when it is free. Any thread.
 */
public final class Turn {

    private final Semaphore free = new Semaphore(1, true);
    private final Runnable onFree;
    private volatile @Nullable Thread holder;

    /** It is free; {@code onFree} is told when whoever has waited for it has had it, or has given up. */
    public Turn(Runnable onFree) {
        this.onFree = onFree;
    }

    /** Takes it, unless somebody has it or waits for it. */
    public boolean tryTake() {
        boolean taken = !free.hasQueuedThreads() && free.tryAcquire();
        if (taken) {
            holder = Thread.currentThread();
        }
        return taken;
    }

    /** After it was taken. */
    public void giveBack() {
        holder = null;
        free.release();
    }

    /** Whether it is the calling thread's. */
    public boolean isMine() {
        return holder == Thread.currentThread();
    }

    /**
     * Does this once it is free.
     *
     * @return false if it was not done, as others have taken longer than this, or the caller was interrupted, which is kept
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
            return free.tryAcquire() || free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
