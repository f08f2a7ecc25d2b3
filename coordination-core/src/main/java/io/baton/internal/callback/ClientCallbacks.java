package io.baton.internal.callback;

import io.baton.recipe.Callbacks;
import io.baton.recipe.UnprintableException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs users' code on Baton's own threads, or on the user's executor. On Baton's threads, notifications of a loss or a
 * stop have a pool for themselves, so that blocking code does not delay them. Any thread.
 */
public final class ClientCallbacks implements Callbacks {

    private static final Logger log = LoggerFactory.getLogger(ClientCallbacks.class);

    private final Executor executor;
    private final @Nullable CallbackPool own;
    private final @Nullable CallbackPool urgent;
    private volatile boolean abandoned;
    private volatile boolean toldOfCaller;

    private ClientCallbacks(Executor executor, @Nullable CallbackPool own, @Nullable CallbackPool urgent) {
        this.executor = executor;
        this.own = own;
        this.urgent = urgent;
    }

    /** Returns callbacks on the user's executor, which the user shuts down. */
    public static ClientCallbacks on(Executor executor) {
        return new ClientCallbacks(executor, null, null);
    }

    /** Returns callbacks on pools of Baton's own. */
    public static ClientCallbacks pooled(String name) {
        CallbackPool pool = new CallbackPool(name);
        return new ClientCallbacks(pool, pool, new CallbackPool(name + "-urgent"));
    }

    /**
     * Runs the task. If a user's executor refuses it, fails, or runs it in the calling thread, the task runs on the
     * common pool instead. The calling thread may be the one that keeps the session alive, and no loss or completion
     * may be dropped. What the task throws is logged.
     */
    @Override
    public boolean run(Runnable task) {
        return run(own, task);
    }

    @Override
    public boolean runUrgently(Runnable task) {
        return run(urgent, task);
    }

    private boolean run(@Nullable CallbackPool pool, Runnable task) {
        Runnable guarded = () -> guarded(task);
        try {
            if (pool == null) {
                return submit(guarded);
            }
            pool.execute(guarded);
            return true;
        } catch (RejectedExecutionException refused) {
            return pool == null && runOnCommonPool(guarded);
        } catch (Throwable broken) {
            log.error("The callback executor failed; a callback runs on the common pool", broken);
            return runOnCommonPool(guarded);
        }
    }

    private boolean submit(Runnable guarded) {
        var handed = new Handed(guarded);
        executor.execute(handed);
        return !handed.ranInCaller() || runOnCommonPool(guarded);
    }

    /** A task on its way to a user's executor, which may run it at once in the calling thread. */
    private final class Handed implements Runnable {

        private final Runnable guarded;
        // Until execute() returns. Only the calling thread reads and changes the two below.
        private final Thread caller = Thread.currentThread();
        private boolean returned;
        private boolean inCaller;

        Handed(Runnable guarded) {
            this.guarded = guarded;
        }

        @Override
        public void run() {
            if (Thread.currentThread() == caller && !returned) {
                inCaller = true;
            } else {
                guarded.run();
            }
        }

        /** Marks that the executor has returned; returns whether it has run the task in the calling thread. */
        boolean ranInCaller() {
            returned = true;
            if (inCaller && !toldOfCaller) {
                toldOfCaller = true;
                log.warn(
                        "The callback executor runs tasks in the calling thread, where they would hold up the session; they"
                                + " run on the common pool. Give it threads of its own");
            }
            return inCaller;
        }
    }

    private static boolean runOnCommonPool(Runnable guarded) {
        try {
            ForkJoinPool.commonPool().execute(guarded);
            return true;
        } catch (Throwable broken) {
            log.error("There is no thread for a callback", broken);
            return false;
        }
    }

    @Override
    public void runReliably(Runnable task) {
        if (!run(task)) {
            runOnCommonPool(() -> guarded(task));
        }
    }

    /** Refuses new tasks; queued tasks still run. Does not wait. */
    public void close() {
        if (own != null && urgent != null) {
            own.close();
            urgent.close();
        }
    }

    /** Waits for Baton's threads to end, then interrupts those that still run. Only after {@link #close}. */
    public void awaitEnd(Duration limit) {
        if (own != null && urgent != null) {
            Duration left = urgent.awaitEnd(own.awaitEnd(limit));
            if (left.compareTo(Duration.ZERO) <= 0) {
                abandoned = true;
                own.interrupt();
                urgent.interrupt();
            }
        }
    }

    @Override
    public boolean abandoned() {
        return abandoned;
    }

    private static void guarded(Runnable task) {
        try {
            Callbacks.within(task);
        } catch (Throwable broken) {
            log.warn("A callback threw", UnprintableException.printable(broken));
        }
    }
}
