package io.baton.benchmarks.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Many followers in one JVM, each with a session of its own: how long until the last of them has been told of a change. */
final class Crowd {

    private static final String LAST = "last-follower-ns";
    private static final int WAIT_SECONDS = 60;

    private final Scene scene;
    private final Size size;
    private final Map<String, CountDownLatch> missing = new ConcurrentHashMap<>();

    Crowd(Scene scene, Size size) {
        this.scene = scene;
        this.size = size;
    }

    void measure() throws Exception {
        List<SpaceFollower> followers = new ArrayList<>();
        try (Writer writer = scene.ground().writer(scene.servers())) {
            for (int i = 0; i < size.followers(); i++) {
                SpaceFollower follower = scene.ground().baton(scene.servers());
                followers.add(follower);
                follower.follow(this::heard);
            }
            for (int i = -size.changes() / 5; i < size.changes(); i++) {
                long nanos = change(writer, "crowd " + i);
                if (i >= 0) {
                    scene.results().add(LAST, Scene.BATON, i, nanos);
                }
            }
        } finally {
            followers.parallelStream().forEach(SpaceFollower::close);
        }
        Sorted times = scene.results().of(LAST, Scene.BATON);
        System.out.printf(
                Locale.ROOT,
                "followers: all %d have been told after p50 %.1f ms, p99 %.1f ms, worst %.1f ms of %d changes%n",
                size.followers(),
                times.millis(0.5),
                times.millis(0.99),
                times.millis(1),
                size.changes());
    }

    private long change(Writer writer, String text) throws Exception {
        var all = new CountDownLatch(size.followers());
        missing.put(text, all);
        long before = System.nanoTime();
        writer.put(BenchmarkTarget.OURS, "crowd", text).get(WAIT_SECONDS, TimeUnit.SECONDS);
        if (!all.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(all.getCount() + " were not told of " + text);
        }
        long nanos = System.nanoTime() - before;
        missing.remove(text);
        return nanos;
    }

    private void heard(String key, String text) {
        CountDownLatch latch = missing.get(text);
        if (latch != null && key.equals("crowd")) {
            latch.countDown();
        }
    }
}
