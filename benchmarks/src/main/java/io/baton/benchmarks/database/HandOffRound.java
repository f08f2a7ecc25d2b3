package io.baton.benchmarks.database;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How clients hand a lock on to one another.
 *
 * @param passes how often the lock was taken
 * @param changes how often it went to another client
 * @param longestNanos the longest that a client waited
 * @param nanos how long the round took
 */
record HandOffRound(long passes, long changes, long longestNanos, long nanos) {

    /** What the lock protects: plain fields, so two clients inside at once make them wrong. */
    private static final class Inside {
        private long passes;
        private long changes;
        private int last = -1;

        void pass(int client) {
            passes++;
            if (client != last) {
                changes++;
                last = client;
            }
        }
    }

    /** Has each client take the lock again and again, for so long. */
    static HandOffRound play(List<DatabaseLock> clients, long millis) throws InterruptedException, ExecutionException {
        var inside = new Inside();
        var over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(clients.size());
        try {
            long begun = System.nanoTime();
            List<Future<long[]>> all = new ArrayList<>();
            for (int i = 0; i < clients.size(); i++) {
                int client = i;
                all.add(threads.submit(() -> play(clients.get(client), client, inside, over)));
            }
            Thread.sleep(millis);
            over.set(true);
            long nanos = System.nanoTime() - begun;
            long passes = 0;
            long longest = 0;
            for (Future<long[]> each : all) {
                passes += each.get()[0];
                longest = Math.max(longest, each.get()[1]);
            }
            if (inside.passes != passes) {
                throw new IllegalStateException(
                        "the lock did not exclude: " + passes + " passes, and counted " + inside.passes);
            }
            return new HandOffRound(passes, inside.changes, longest, nanos);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long[] play(DatabaseLock lock, int client, Inside inside, AtomicBoolean over) throws Exception {
        long passes = 0;
        long longest = 0;
        while (!over.get()) {
            long asked = System.nanoTime();
            lock.take();
            longest = Math.max(longest, System.nanoTime() - asked);
            inside.pass(client);
            passes++;
            lock.give();
        }
        return new long[] {passes, longest};
    }
}
