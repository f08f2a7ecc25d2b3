package io.baton.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;

/**
 * The limits that a store sets to its clients, measured with its own client: medians of several tries, in nanoseconds.
 *
 * @param createAndDelete a node or key made and removed, each confirmed
 * @param event from the call that removes a node or key to the event that another client receives
 */
record Limits(double createAndDelete, double event) {

    private static final int TRIES = 200;
    private static final int FIRST_TRIES = 100;
    private static final long PATIENCE_SECONDS = 30;
    private static final double SECOND = 1e9;

    /** Measures; stops each series of tries after this time. */
    static Limits of(RawStore store, Duration most) throws Exception {
        return new Limits(median(() -> createAndDelete(store), most), median(() -> event(store), most));
    }

    /** The most hand-offs per second: each takes one event's way. */
    double handOffsPerSecond() {
        return SECOND / event;
    }

    private interface Try {
        long nanos() throws Exception;
    }

    private static double median(Try some, Duration most) throws Exception {
        tries(some, FIRST_TRIES, most);
        return Spread.of(tries(some, TRIES, most)).median();
    }

    private static DoubleStream tries(Try some, int tries, Duration most) throws Exception {
        long end = System.nanoTime() + most.toNanos();
        var took = DoubleStream.builder();
        for (int i = 0; i < tries && (i == 0 || System.nanoTime() - end < 0); i++) {
            took.add((double) some.nanos());
        }
        return took.build();
    }

    private static long createAndDelete(RawStore store) throws Exception {
        long start = System.nanoTime();
        store.create();
        store.delete();
        return System.nanoTime() - start;
    }

    private static long event(RawStore store) throws Exception {
        var told = new CountDownLatch(1);
        long[] end = new long[1];
        store.create();
        store.watch(() -> {
            end[0] = System.nanoTime();
            told.countDown();
        });
        long start = System.nanoTime();
        store.delete();
        if (!told.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no event came within " + PATIENCE_SECONDS + " s");
        }
        return end[0] - start;
    }
}
