package io.baton.tck.sim.election;

import io.baton.spi.Loop;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a simulated node, one for each task. A task sets its {@link Course}; without one it ends at once. In
 * bad times a thread sometimes starts late, the process freezes just before, or there is no thread.
 */
final class SimHands {

    private static final long MILLI = 1_000_000;
    private static final Loop.Timer NONE = () -> {};

    private final SimProcess process;
    private final SimLoop loop;
    private final SplittableRandom chance;
    private final BooleanSupplier calm;
    private final Watch watch;
    private @Nullable Job current;

    /** The purpose of a task. */
    enum Kind {
        PROMOTE,
        DEMOTE,
        FENCE,
        HEALTH,
        LAST_RESORT;

        static Kind of(String thread) {
            for (Kind kind : values()) {
                if (thread.contains(kind.text())) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no task of a node: " + thread);
        }

        String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Whether it is a hook. */
        boolean isHook() {
            return this == PROMOTE || this == DEMOTE;
        }
    }

    /** Receives the events of tasks. */
    interface Watch {
        /** The task is about to start. */
        void begun(Job job);

        /** The task starts. */
        void entering(Job job);

        /** The task is interrupted. */
        void interrupted(Job job);

        /** The task has ended, with this exception or null. */
        void left(Job job, @Nullable Throwable thrown);
    }

    SimHands(SimProcess process, SimLoop loop, SplittableRandom chance, BooleanSupplier calm, Watch watch) {
        this.process = process;
        this.loop = loop;
        this.chance = chance;
        this.calm = calm;
        this.watch = watch;
    }

    /** Sets the course of the task that runs at this moment. */
    void takes(Course course) {
        Job running = current;
        if (running == null) {
            throw new IllegalStateException("no task runs");
        }
        running.course = course;
    }

    /** Starts a task; {@code done} runs on the loop. */
    Job begin(String name, Callable<?> task, Consumer<@Nullable Throwable> done) {
        Kind kind = Kind.of(name);
        Job job = new Job(kind, task, done);
        watch.begun(job);
        if ((kind.isHook() || kind == Kind.FENCE) && unlucky(60)) {
            job.thread.note("there is no thread for it");
            job.leave(new IllegalStateException("no thread to be had for " + name));
            return job;
        }
        if (kind != Kind.HEALTH && unlucky(25)) {
            process.freeze(Duration.ofNanos(chance.nextLong(MILLI, 4_000 * MILLI)));
        }
        // A late demotion in a running process could end too late.
        if (kind != Kind.DEMOTE && unlucky(10)) {
            job.end = job.thread.after(Duration.ofNanos(chance.nextLong(MILLI, 500 * MILLI)), job::enter);
        } else {
            job.thread.execute(job::enter);
        }
        return job;
    }

    /** Starts a task without waiting for it; false if there is no thread for it. */
    boolean leave(String name, Callable<?> task) {
        if (unlucky(10)) {
            return false;
        }
        begin(name, task, thrown -> {});
        return true;
    }

    private boolean unlucky(int oneIn) {
        return !calm.getAsBoolean() && chance.nextInt(oneIn) == 0;
    }

    /** A task. */
    final class Job {

        private final Kind kind;
        private final Callable<?> task;
        private final Consumer<@Nullable Throwable> done;
        private final SimLoop thread;
        private @Nullable Course course;
        private Loop.Timer end = NONE;
        private boolean entered;
        private boolean interrupted;
        private boolean over;

        private Job(Kind kind, Callable<?> task, Consumer<@Nullable Throwable> done) {
            this.kind = kind;
            this.task = task;
            this.done = done;
            this.thread = process.thread(kind.text());
        }

        Kind kind() {
            return kind;
        }

        boolean isInterrupted() {
            return interrupted;
        }

        void note(String what) {
            thread.note(what);
        }

        void interrupt() {
            if (!interrupted && !over) {
                interrupted = true;
                watch.interrupted(this);
                if (entered) {
                    heed();
                }
            }
        }

        private void enter() {
            entered = true;
            watch.entering(this);
            current = this;
            Throwable thrown = null;
            try {
                task.call();
            } catch (Throwable any) {
                thrown = any;
            } finally {
                current = null;
            }
            Course goes = course;
            if (thrown != null || goes == null) {
                leave(thrown);
                return;
            }
            if (goes.takesNanos() != Course.NEVER) {
                end = thread.after(Duration.ofNanos(goes.takesNanos()), () -> {
                    goes.effect().run();
                    leave(goes.thrown());
                });
            }
            if (interrupted) {
                heed();
            }
        }

        private void heed() {
            Course goes = course;
            if (goes != null && goes.heedsNanos() != Course.NEVER && !over) {
                end.cancel();
                end = thread.after(
                        Duration.ofNanos(goes.heedsNanos()),
                        () -> leave(goes.heedThrows() ? new InterruptedException() : null));
            }
        }

        private void leave(@Nullable Throwable thrown) {
            over = true;
            watch.left(this, thrown);
            loop.execute(() -> done.accept(thrown));
        }
    }
}
