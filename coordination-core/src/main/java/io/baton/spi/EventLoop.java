package io.baton.spi;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link Loop} of production: one daemon thread and the system's clocks. What a task throws is logged; the tasks
 * behind it still run.
 *
 * <p>Waking a thread costs more than most tasks. So a thread that {@link #deliver delivers} to an idle loop runs the
 * task itself, and the tasks added meanwhile. The loop's own thread runs {@linkplain #execute executed} tasks and
 * timers. One thread at a time runs tasks, and it sees all effects of the thread before it.
 */
public final class EventLoop implements Loop, AutoCloseable {

    private enum Added {
        /** The loop is closed; the task will not run. */
        REFUSED,
        /** A thread is running tasks and will run this one. */
        BEHIND_OTHERS,
        /** No thread is running tasks; the adding thread must start one. */
        FIRST
    }

    private static final Logger log = LoggerFactory.getLogger(EventLoop.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Thread thread;

    // Guarded by its own monitor, as are the two fields below.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;
    private boolean closed;

    // Used only by the thread that runs tasks.
    private final TreeSet<Alarm> alarms = new TreeSet<>();
    private long armed;

    private volatile @Nullable Thread runner;
    private volatile @Nullable Alarm next;
    private volatile boolean called;
    private volatile boolean over;

    /** Starts the loop's thread under this name. */
    public EventLoop(String name) {
        thread = new Thread(this::runLoop, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }

    @Override
    public long randomLong() {
        return RANDOM.nextLong();
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException once closed
     */
    @Override
    public void execute(Runnable task) {
        if (addOrThrow(task) == Added.FIRST) {
            call();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException once closed
     */
    @Override
    public void deliver(Runnable task) {
        if (addOrThrow(task) == Added.FIRST) {
            runAll();
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws RejectedExecutionException once closed
     */
    @Override
    public Timer after(Duration delay, Runnable task) {
        // Limited, so that differences between alarms do not overflow.
        long nanos = Math.min(TimeUnit.NANOSECONDS.convert(delay), Long.MAX_VALUE / 2);
        Alarm alarm = new Alarm(System.nanoTime() + nanos, task);
        if (inside()) {
            if (closed()) {
                throw refusal();
            }
            arm(alarm);
        } else {
            execute(() -> arm(alarm));
        }
        return () -> {
            alarm.cancelled = true;
            if (inside()) {
                alarms.remove(alarm);
            } else if (add(() -> alarms.remove(alarm)) == Added.FIRST) {
                call();
            }
        };
    }

    /** Runs the queued tasks, drops the timers, and refuses new tasks. Does not wait. */
    @Override
    public void close() {
        boolean first;
        synchronized (tasks) {
            if (closed) {
                return;
            }
            closed = true;
            first = !running;
            running = true;
        }
        if (first) {
            call();
        }
    }

    // ---- tasks

    private Added addOrThrow(Runnable task) {
        Added added = add(task);
        if (added == Added.REFUSED) {
            throw refusal();
        }
        return added;
    }

    private static RejectedExecutionException refusal() {
        return new RejectedExecutionException("the event loop is closed");
    }

    private Added add(Runnable task) {
        synchronized (tasks) {
            if (closed) {
                return Added.REFUSED;
            }
            tasks.add(task);
            if (running) {
                return Added.BEHIND_OTHERS;
            }
            running = true;
            return Added.FIRST;
        }
    }

    private boolean closed() {
        synchronized (tasks) {
            return closed;
        }
    }

    /** Returns the next task; null if there is none, and then another thread may become the one that runs tasks. */
    private @Nullable Runnable take() {
        synchronized (tasks) {
            Runnable task = tasks.poll();
            if (task == null) {
                runner = null;
                if (closed) {
                    alarms.clear();
                    over = true;
                } else {
                    running = false;
                }
            }
            return task;
        }
    }

    /** Called only by a thread that found no other thread running tasks. */
    private void runAll() {
        runner = Thread.currentThread();
        for (Runnable task = take(); task != null; task = take()) {
            run(task);
        }
        if (over) {
            LockSupport.unpark(thread);
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable broken) {
            reportFailure(broken);
        }
    }

    /** Logs a failure; the tasks behind it run even if logging fails. */
    private static void reportFailure(Throwable broken) {
        try {
            log.error("A task of the event loop failed; this is a defect of Baton, please report it", broken);
        } catch (Throwable unheard) {
            broken.addSuppressed(unheard);
        }
    }

    /** Returns whether the calling thread is running a task of this loop. Any thread. */
    public boolean inside() {
        return runner == Thread.currentThread();
    }

    // ---- the loop's own thread

    private void runLoop() {
        while (!over) {
            // An interrupted thread cannot park; the interrupt has no other meaning here.
            boolean ignored = Thread.interrupted();
            Alarm soonest = next;
            if (called) {
                called = false;
                runAll();
            } else if (soonest == null) {
                LockSupport.park(this);
            } else if (soonest.at - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, soonest.at - System.nanoTime());
            } else {
                next = null;
                if (add(this::ring) == Added.FIRST) {
                    runAll();
                }
            }
        }
    }

    private void call() {
        called = true;
        LockSupport.unpark(thread);
    }

    // ---- timers

    private void arm(Alarm alarm) {
        if (!alarm.cancelled) {
            alarm.number = ++armed;
            alarms.add(alarm);
            plan();
        }
    }

    /** Each alarm that is due becomes a task like any other. */
    private void ring() {
        long now = System.nanoTime();
        for (Alarm due = alarms.pollFirst(); due != null; due = alarms.pollFirst()) {
            if (due.at - now > 0) {
                alarms.add(due);
                break;
            }
            add(due);
        }
        plan();
    }

    /** Wakes the loop's thread only for an alarm earlier than the one that it waits for. */
    private void plan() {
        Alarm soonest = alarms.isEmpty() ? null : alarms.first();
        Alarm known = next;
        if (soonest != null && (known == null || soonest.at - known.at < 0)) {
            next = soonest;
            if (Thread.currentThread() != thread) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** A scheduled task. */
    private static final class Alarm implements Runnable, Comparable<Alarm> {

        private final long at;
        private final Runnable task;
        private long number;
        private volatile boolean cancelled;

        Alarm(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        @Override
        public void run() {
            if (!cancelled) {
                task.run();
            }
        }

        @Override
        public int compareTo(Alarm other) {
            int earlier = Long.signum(at - other.at);
            return earlier == 0 ? Long.compare(number, other.number) : earlier;
        }
    }
}
