package io.baton.benchmarks.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Eight writers, each with keys of its own, change a thousand values a second by an unhurried plan: who is late does not
 * write less. Each value has a number that rises for its key, and when it was sent. The follower must be told of each key's numbers
 * in rising order, and of the last one.
 */
final class Rate {

    private static final int WRITERS = 8;
    private static final int KEYS = 25;
    private static final long PAUSE_NANOS = 8_000_000;
    private static final int PART = 1_000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Scene scene;
    private final Size size;
    private final Log log = new Log();

    Rate(Scene scene, Size size) {
        this.scene = scene;
        this.size = size;
    }

    void measure() throws Exception {
        int each = (int) (TimeUnit.SECONDS.toNanos(size.seconds()) / PAUSE_NANOS);
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try (SpaceFollower follower = scene.ground().baton(scene.servers())) {
            follower.follow(log);
            long begun = System.nanoTime();
            List<Future<?>> writing = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                String name = "rate-" + i + "-";
                writing.add(threads.submit(() -> write(name, each)));
            }
            for (Future<?> one : writing) {
                one.get();
            }
            double took = (System.nanoTime() - begun) / 1e9;
            log.awaitLast(WRITERS * KEYS, each);
            show(WRITERS * each, took);
        } finally {
            threads.shutdownNow();
        }
    }

    /** The i-th value goes to one key after the other. */
    private Void write(String name, int values) throws Exception {
        try (Writer writer = scene.ground().writer(scene.servers())) {
            long due = System.nanoTime();
            for (int i = 0; i < values; i++, due += PAUSE_NANOS) {
                LockSupport.parkNanos(due - System.nanoTime());
                writer.put(BenchmarkTarget.OURS, name + i % KEYS, i + " " + System.nanoTime())
                        .get(1, TimeUnit.MINUTES);
            }
        }
        return null;
    }

    private void show(int written, double seconds) {
        List<Long> lags = log.lags();
        for (int i = 0; i < lags.size(); i += PART) {
            Sorted part = Sorted.of(lags.subList(i, Math.min(i + PART, lags.size())));
            scene.results().add("rate-lag-p50-ns", Scene.BATON, i / PART, part.at(0.5));
            scene.results().add("rate-lag-worst-ns", Scene.BATON, i / PART, part.at(1));
        }
        Sorted sorted = Sorted.of(lags);
        System.out.printf(
                Locale.ROOT,
                "rate: %,d changes in %.1f s (%.0f/s); told of %,d, in order; the other %,d were overtaken by a newer value of"
                        + " their key; the last of each was told. From sending: p50 %.1f ms, p99 %.1f ms, worst %.1f ms%n",
                written,
                seconds,
                written / seconds,
                lags.size(),
                written - lags.size(),
                sorted.millis(0.5),
                sorted.millis(0.99),
                sorted.millis(1));
    }

    /** What the follower is told. */
    private static final class Log implements Heard {

        private final Map<String, Integer> last = new HashMap<>();
        private final List<Long> lags = new ArrayList<>();
        private String wrong = "";

        @Override
        public synchronized void value(String key, String text) {
            if (!key.startsWith("rate-")) {
                return;
            }
            int space = text.indexOf(' ');
            int number = Integer.parseInt(text.substring(0, space));
            lags.add(System.nanoTime() - Long.parseLong(text.substring(space + 1)));
            Integer before = last.put(key, number);
            if (before != null && before >= number) {
                wrong = key + " was " + before + " and then " + number;
            }
            notifyAll();
        }

        /** Until each key has its last value. */
        synchronized void awaitLast(int keys, int each) throws InterruptedException {
            long end = System.nanoTime() + PATIENCE_NANOS;
            while (!(last.size() == keys && last.values().stream().allMatch(number -> number >= each - KEYS))) {
                if (System.nanoTime() - end > 0) {
                    throw new IllegalStateException("the last values were not told: " + last);
                }
                wait(100);
            }
            if (!wrong.isEmpty()) {
                throw new IllegalStateException("out of order: " + wrong);
            }
        }

        synchronized List<Long> lags() {
            return List.copyOf(lags);
        }
    }
}
