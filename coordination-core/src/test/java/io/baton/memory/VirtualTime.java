package io.baton.memory;

import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.RejectedExecutionException;

/** A clock that the test moves, and loops that live by it. It starts shortly before the clock overflows. */
final class VirtualTime {

    private final List<VirtualLoop> loops = new ArrayList<>();
    private long elapsed;

    VirtualLoop loop() {
        VirtualLoop loop = new VirtualLoop();
        loops.add(loop);
        return loop;
    }

    /** Runs whatever is due. */
    void settle() {
        while (loops.stream().anyMatch(VirtualLoop::runOne)) {
            // Until nobody has anything to do.
        }
    }

    /** Lets time pass in small steps, with everything running at about its moment. */
    void pass(Duration time) {
        long step = Duration.ofMillis(10).toNanos();
        for (long end = elapsed + time.toNanos(); elapsed < end; elapsed += step) {
            settle();
        }
        settle();
    }

    private record Waiting(long at, Runnable task) {}

    /** Does nothing unless {@link #settle} or {@link #pass} make it. */
    final class VirtualLoop implements Loop {

        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private final PriorityQueue<Waiting> timers = new PriorityQueue<>(Comparator.comparingLong(Waiting::at));
        private boolean frozen;
        private boolean ended;

        /** Stops running anything, as a process under SIGSTOP does. */
        void freeze() {
            frozen = true;
        }

        void thaw() {
            frozen = false;
        }

        /** Takes nothing new and runs nothing more, as a loop that was closed. */
        void end() {
            ended = true;
            frozen = true;
        }

        /** Whether nothing is due and nothing waits for its time. */
        boolean isIdle() {
            return tasks.isEmpty() && timers.isEmpty();
        }

        @Override
        public long nanoTime() {
            return Long.MAX_VALUE - Duration.ofSeconds(3).toNanos() + elapsed;
        }

        @Override
        public long wallMillis() {
            return 1_800_000_000_000L + elapsed / 1_000_000;
        }

        @Override
        public long randomLong() {
            return 4;
        }

        @Override
        public void execute(Runnable task) {
            if (ended) {
                throw new RejectedExecutionException("ended");
            }
            tasks.add(task);
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            Waiting waiting = new Waiting(elapsed + delay.toNanos(), task);
            timers.add(waiting);
            return () -> timers.remove(waiting);
        }

        private boolean runOne() {
            if (frozen) {
                return false;
            }
            Waiting first = timers.peek();
            if (first != null && first.at <= elapsed) {
                tasks.add(timers.remove().task);
            }
            Runnable task = tasks.poll();
            if (task == null) {
                return false;
            }
            task.run();
            return true;
        }
    }
}
