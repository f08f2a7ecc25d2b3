package io.baton.internal.lock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The transactions guarded by one hold that are not answered yet. A place in the line passes to another owner in this
 * process only after them, and a writer's place becomes a reader's only after them: the entry stays the same, so the
 * store does not refuse what was sent before. Any thread.
 */
final class GuardedWrites {

    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean inDoubt;
    private volatile Runnable whenNone = () -> {};

    /** One begins. To be called before the hold's state is looked at: who ends the hold looks here afterwards. */
    void begin() {
        underWay.incrementAndGet();
    }

    /**
     * One has been answered, or was not sent.
     *
     * @param mayApply whether it may be applied later
     */
    void end(boolean mayApply) {
        if (mayApply) {
            inDoubt = true;
        }
        if (underWay.decrementAndGet() == 0) {
            whenNone.run();
        }
    }

    /** Runs the task whenever the last one that was under way has ended. */
    void onNone(Runnable task) {
        whenNone = task;
    }

    /** Completes once none is under way. The hold has ended for those that begin from now on. */
    CompletableFuture<Void> ended() {
        var ended = new CompletableFuture<Void>();
        onNone(() -> ended.complete(null));
        if (!areUnderWay()) {
            ended.complete(null);
        }
        return ended;
    }

    /** Whether some are under way. */
    boolean areUnderWay() {
        return underWay.get() > 0;
    }

    /** Whether one of them may be applied later. */
    boolean areInDoubt() {
        return inDoubt;
    }
}
