package io.baton.internal.callback;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Up to 64 daemon threads, started only when no other is idle, ended after 10 s without work.
 *
 * <p>The JDK's pool starts threads beyond its core only once its queue is full, so one hung task would delay those
 * behind it. Here a task waits only while all 64 threads are busy.
 */
public final class CallbackPool implements Executor {

    public static final int MAX_THREADS = 64;

    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition ended = lock.newCondition();
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final Set<Thread> threads = new HashSet<>();
    private int idle;
    private long started;
    private boolean closed;

    public CallbackPool(String name) {
        this.name = name;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            if (closed) {
                throw new RejectedExecutionException("closed");
            }
            queue.add(task);
            // Each waiting task has an idle thread of its own, or a new one, as long as there may be more.
            if (queue.size() <= idle) {
                work.signal();
            } else if (threads.size() < MAX_THREADS) {
                start(task);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new tasks; queued tasks still run. Does not wait. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the threads to end. An interrupt ends the wait, and is kept.
     *
     * @return what is left of the limit; zero or less if threads still run
     */
    Duration awaitEnd(Duration limit) {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (left > 0 && !threads.isEmpty()) {
                left = ended.awaitNanos(left);
            }
            return Duration.ofNanos(left);
        } catch (InterruptedException asked) {
            Thread.currentThread().interrupt();
            return Duration.ofNanos(left);
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the threads that still run. */
    void interrupt() {
        lock.lock();
        try {
            threads.forEach(Thread::interrupt);
        } finally {
            lock.unlock();
        }
    }

    private void start(Runnable task) {
        started++;
        Thread thread = new Thread(this::work, name + "-callback-" + started);
        thread.setDaemon(true);
        threads.add(thread);
        try {
            thread.start();
        } catch (Throwable noMoreThreads) {
            threads.remove(thread);
            // If there is another thread, that one runs the task in the end.
            if (threads.isEmpty()) {
                queue.remove(task);
                throw noMoreThreads;
            }
        }
    }

    private void work() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    /** Returns the next task; null when this thread is to end, and is no longer counted. */
    private @Nullable Runnable next() {
        // A callback may have left its thread interrupted; the next one must not see that.
        boolean ignored = Thread.interrupted();
        lock.lock();
        try {
            long left = IDLE_NANOS;
            while (queue.isEmpty() && left > 0 && !closed) {
                idle++;
                try {
                    left = work.awaitNanos(left);
                } catch (InterruptedException strayed) {
                    // The pool interrupts only after it was closed, and then this loop ends by itself.
                    left = IDLE_NANOS;
                } finally {
                    idle--;
                }
            }
            Runnable task = queue.poll();
            if (task == null) {
                threads.remove(Thread.currentThread());
                ended.signalAll();
            }
            return task;
        } finally {
            lock.unlock();
        }
    }
}
