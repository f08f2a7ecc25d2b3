package io.baton.benchmarks;

import io.baton.benchmarks.Fairness.Part;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What the workers of a round do with the lock. */
enum Work {

    /** Everybody takes it and gives it back until the time is up. */
    LOOP {
        @Override
        Outcome round(Side side, Server server, LockKind kind, Duration time) throws Exception {
            var section = Section.here();
            var start = new CountDownLatch(1);
            long[] end = new long[1];
            Meter meter = Meter.start(server);
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<Part>> parts = new ArrayList<>();
                for (LockTurn turn : side.turns()) {
                    int worker = parts.size();
                    parts.add(threads.submit(() -> {
                        start.await();
                        return loop(turn, worker, section, kind, end[0]);
                    }));
                }
                end[0] = System.nanoTime() + time.toNanos();
                start.countDown();
                return outcome(parts, side, meter, section);
            } finally {
                end(threads);
            }
        }
    },

    /** All take it together and give it back together, until the time is up: a barrier and its parties. */
    TOGETHER {
        @Override
        Outcome round(Side side, Server server, LockKind kind, Duration time) throws Exception {
            var section = Section.here();
            Meter meter = Meter.start(server);
            var steps = new Steps(side.turns().size(), System.nanoTime() + time.toNanos());
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<Part>> parts = new ArrayList<>();
                for (LockTurn turn : side.turns()) {
                    parts.add(threads.submit(() -> together(turn, steps, section)));
                }
                return outcome(parts, side, meter, section);
            } finally {
                end(threads);
            }
        }
    },

    /** While one holds it, all others queue up; then each takes it once. Only the hand-offs are measured. */
    DRAIN {
        @Override
        Outcome round(Side side, Server server, LockKind kind, Duration time) throws Exception {
            var section = Section.here();
            LockTurn first = side.turns().get(0);
            List<LockTurn> others = side.turns().subList(1, side.turns().size());
            first.take(false);
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<Part>> parts = new ArrayList<>();
                for (LockTurn turn : others) {
                    int worker = parts.size();
                    parts.add(threads.submit(() -> once(turn, worker, section)));
                }
                awaitQuiet(side, server);
                Meter meter = Meter.start(server);
                first.give();
                return outcome(parts, side, meter, section);
            } finally {
                end(threads);
            }
        }
    };

    private static final long QUIET_MILLIS = 200;
    private static final long PATIENCE_SECONDS = 30;

    abstract Outcome round(Side side, Server server, LockKind kind, Duration time) throws Exception;

    private static Outcome outcome(List<Future<Part>> workers, Side side, Meter meter, Section section)
            throws Exception {
        List<Part> parts = new ArrayList<>();
        for (Future<Part> each : workers) {
            parts.add(each.get());
        }
        side.settle();
        long passes = parts.stream().mapToLong(Part::passes).sum();
        Outcome outcome = meter.read(passes, Fairness.of(parts, section.changes()));
        section.expect(passes);
        return outcome;
    }

    /** Takes the lock and gives it back until the time is up, at least once. */
    static Part loop(LockTurn turn, int worker, Section section, LockKind kind, long end) throws Exception {
        var chance = new SplittableRandom(worker);
        long passes = 0;
        long longestWait = 0;
        do {
            longestWait = Math.max(longestWait, pass(turn, worker, section, kind.shares(chance)));
            passes++;
        } while (System.nanoTime() - end < 0);
        return new Part(passes, longestWait);
    }

    /** What all workers do at the same time: each step begins once all have ended the one before. */
    private static final class Steps {

        private final CyclicBarrier next;
        private boolean more = true;

        Steps(int workers, long end) {
            next = new CyclicBarrier(workers, () -> more = System.nanoTime() - end < 0);
        }

        /** Returns whether there is time for more; the same for all. */
        boolean next() throws Exception {
            next.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return more;
        }
    }

    private static Part together(LockTurn turn, Steps steps, Section section) throws Exception {
        long passes = 0;
        long longestWait = 0;
        do {
            long start = System.nanoTime();
            turn.take(true);
            longestWait = Math.max(longestWait, System.nanoTime() - start);
            section.passShared();
            var unused = steps.next(); // Curator's parties must not leave before all have entered
            turn.give();
            passes++;
        } while (steps.next());
        return new Part(passes, longestWait);
    }

    private static Part once(LockTurn turn, int worker, Section section) throws Exception {
        return new Part(1, pass(turn, worker, section, false));
    }

    /** Returns how long it waited for the lock. */
    private static long pass(LockTurn turn, int worker, Section section, boolean shared) throws Exception {
        long start = System.nanoTime();
        turn.take(shared);
        long waited = System.nanoTime() - start;
        if (shared) {
            section.passShared();
        } else {
            section.pass(worker);
        }
        turn.give();
        return waited;
    }

    /** Its threads must not end within the next round: what they have allocated is counted. */
    private static void end(ExecutorService threads) throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** Until all stand in line and have set whatever watches they need. */
    private static void awaitQuiet(Side side, Server server) throws Exception {
        while (side.inLine() < side.turns().size()) {
            TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS / 10);
        }
        long last;
        do {
            last = server.requests();
            TimeUnit.MILLISECONDS.sleep(QUIET_MILLIS);
        } while (server.requests() != last);
    }
}
