package io.baton.spi;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.TreeSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The real {@link Loop}: one daemon thread, the system's clocks. A task that throws is logged and ends alone.
 *
 * <p>Waking a thread costs more than most tasks. So a thread that {@link #deliver delivers} to an idle loop runs the
 * task itself, and whatever comes meanwhile; the loop's own thread runs what others {@link #execute} and rings for the
 * timers. Whoever runs tasks is the only one that does, and sees all that the one before him did.
 */
public final class EventLoop implements Loop, AutoCloseable {

    private enum Added {
        /** Closed: it will not run. */
        REFUSED,
        /** Somebody is running tasks, and will come to it. */
        BEHIND_OTHERS,
        /** Nobody is running tasks; whoever added it has to see to it. */
        FIRST
    }

    private static final Logger log = LoggerFactory.getLogger(EventLoop.class);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Thread thread;

    // Guarded by itself, as are the two below.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean running;
    private boolean closed;

    // Touched by whoever runs tasks only.
    private final TreeSet<Alarm> alarms = new TreeSet<>();
    private long armed;

    private volatile @Nullable Thread runner;
    private volatile @Nullable Alarm next;
    private volatile boolean called;
    private volatile boolean over;

    /** Starts the thread under this name. */
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
        // Not so far off that the differences between alarms would overflow.
        Alarm alarm = new Alarm(System.nanoTime() + Math.min(delay.toNanos(), Long.MAX_VALUE / 2), task);
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

    /** Runs what is queued, drops what waits for its time, and takes nothing new. Does not wait. */
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

    /** The next task; null if there is none, and then somebody else may become the one who runs them. */
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

    /** Only by whoever has found that nobody runs tasks. */
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

    /** Whatever becomes of the log, the tasks behind this one must run. */
    private static void reportFailure(Throwable broken) {
        try {
            log.error("A task of the event loop failed; this is a defect of Baton, please report it", broken);
        } catch (Throwable unheard) {
            broken.addSuppressed(unheard);
        }
    }

    /** Whether this is called from within a task. Any thread. */
    public boolean inside() {
        return runner == Thread.currentThread();
    }

    // ---- the loop's own thread

    private void runLoop() {
        while (!over) {
            // Interrupted, it could not park any more; nobody has a reason to interrupt it.
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

    /** The loop's thread need not know of alarms later than the one that it waits for. */
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

    /** A task that waits for its time. */
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
