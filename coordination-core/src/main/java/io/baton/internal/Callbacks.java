package io.baton.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where users' code runs: Baton's own pool, or the user's executor. Any thread. */
public final class Callbacks {

    private static final Logger log = LoggerFactory.getLogger(Callbacks.class);
    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    private final Executor executor;
    private final @Nullable CallbackPool own;
    private volatile boolean over;

    private Callbacks(Executor executor, @Nullable CallbackPool own) {
        this.executor = executor;
        this.own = own;
    }

    /** On the user's executor, which stays the user's to shut down. */
    static Callbacks on(Executor executor) {
        return new Callbacks(executor, null);
    }

    /** On a pool of our own. */
    static Callbacks pooled(String name) {
        CallbackPool pool = new CallbackPool(name);
        return new Callbacks(pool, pool);
    }

    /** Whether the calling thread is inside a callback, where waiting for the store would hold up others. */
    public static boolean inside() {
        return INSIDE.get();
    }

    /**
     * Runs a user's code; false if our own pool is closed, or there is no thread to be had anywhere. An executor that
     * refuses a task or breaks must not cost a loss or a completion: such a task runs on the common pool. What the code
     * throws is logged.
     */
    public boolean run(Runnable task) {
        Runnable guarded = () -> guarded(task);
        try {
            executor.execute(guarded);
        } catch (RejectedExecutionException refused) {
            return own == null && runElsewhere(guarded);
        } catch (RuntimeException | Error broken) {
            log.error("The callback executor failed; a callback runs on the common pool", broken);
            return runElsewhere(guarded);
        }
        return true;
    }

    private static boolean runElsewhere(Runnable guarded) {
        try {
            ForkJoinPool.commonPool().execute(guarded);
            return true;
        } catch (RuntimeException | Error broken) {
            log.error("There is no thread for a callback", broken);
            return false;
        }
    }

    /** What the loop decides, as a future for users, who may hang code of theirs on it. */
    public <T> CompletableFuture<T> handOver(CompletableFuture<T> decided) {
        CompletableFuture<T> users = new CompletableFuture<>();
        Waits.onDone(
                decided,
                (value, failure) -> settle(() -> {
                    if (failure == null) {
                        users.complete(value);
                    } else {
                        users.completeExceptionally(Waits.cause(failure));
                    }
                }));
        return users;
    }

    /** Runs what must not be dropped, even if it comes after the end of our own pool. */
    void settle(Runnable task) {
        if (!run(task)) {
            runElsewhere(() -> guarded(task));
        }
    }

    /** Takes nothing new; what is queued still runs. Does not wait. */
    void close() {
        if (own != null) {
            own.close();
        }
    }

    /** Waits for our threads to end, then interrupts those that do not. Only after {@link #close}. */
    void awaitEnd(Duration limit) {
        if (own != null && !own.awaitEnd(limit)) {
            over = true;
            own.interrupt();
        }
    }

    /** Whether listeners are to be told nothing more, because they have been waited for long enough. */
    boolean over() {
        return over;
    }

    private static void guarded(Runnable task) {
        boolean before = INSIDE.get();
        INSIDE.set(true);
        try {
            task.run();
        } catch (RuntimeException | Error broken) {
            log.warn("A callback threw; it stays registered", broken);
        } finally {
            if (before) {
                INSIDE.set(true);
            } else {
                INSIDE.remove();
            }
        }
    }
}
