package io.baton.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** What the workers of a round do with the lock. */
enum Work {

    /** Everybody takes it and gives it back until the time is up. */
    LOOP {
        @Override
        Outcome round(Side side, Server server, Duration time) throws Exception {
            var section = new Section();
            var start = new CountDownLatch(1);
            long[] end = new long[1];
            Meter meter = Meter.start(server);
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<Long>> passes = new ArrayList<>();
                for (LockTurn turn : side.turns()) {
                    passes.add(threads.submit(() -> {
                        start.await();
                        return loop(turn, section, end[0]);
                    }));
                }
                end[0] = System.nanoTime() + time.toNanos();
                start.countDown();
                long sum = 0;
                for (Future<Long> each : passes) {
                    sum += each.get();
                }
                side.settle();
                Outcome outcome = meter.read(sum);
                section.expect(sum);
                return outcome;
            } finally {
                threads.shutdownNow();
            }
        }
    },

    /** While one holds it, all others queue up; then each takes it once. Only the hand-offs are measured. */
    DRAIN {
        @Override
        Outcome round(Side side, Server server, Duration time) throws Exception {
            var section = new Section();
            LockTurn first = side.turns().get(0);
            List<LockTurn> others = side.turns().subList(1, side.turns().size());
            first.take();
            ExecutorService threads = Executors.newCachedThreadPool();
            try {
                List<Future<Void>> passes = new ArrayList<>();
                for (LockTurn turn : others) {
                    passes.add(threads.submit(once(turn, section)));
                }
                awaitQuiet(side, server);
                Meter meter = Meter.start(server);
                first.give();
                for (Future<Void> each : passes) {
                    each.get();
                }
                side.settle();
                Outcome outcome = meter.read(others.size());
                section.expect(others.size());
                return outcome;
            } finally {
                threads.shutdownNow();
            }
        }
    };

    private static final long QUIET_MILLIS = 200;

    abstract Outcome round(Side side, Server server, Duration time) throws Exception;

    private static long loop(LockTurn turn, Section section, long end) throws Exception {
        long passes = 0;
        while (System.nanoTime() - end < 0) {
            turn.take();
            section.pass();
            passes++;
            turn.give();
        }
        return passes;
    }

    private static Callable<Void> once(LockTurn turn, Section section) {
        return () -> {
            turn.take();
            section.pass();
            turn.give();
            return null;
        };
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
