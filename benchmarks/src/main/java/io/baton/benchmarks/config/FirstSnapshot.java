package io.baton.benchmarks.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How long it takes from the start until all of a large space is there, by a client that is connected already, and how much more of the heap is in
 * use then, after garbage collections. Both sides in turns.
 */
final class FirstSnapshot {

    private static final String TIME = "first-snapshot-ns";
    private static final String HEAP = "heap-bytes";
    private static final int BATCH = 500;
    private static final int BYTES = 100;

    private final Scene scene;
    private final Size size;

    FirstSnapshot(Scene scene, Size size) {
        this.scene = scene;
        this.size = size;
    }

    void measure() throws Exception {
        String peerName = scene.ground().peerName();
        try (Writer writer = scene.ground().writer(scene.servers())) {
            fill(writer, BenchmarkTarget.OURS);
            fill(writer, BenchmarkTarget.THEIRS);
        }
        for (int i = -1; i < size.openings(); i++) {
            open(Scene.BATON, scene.ground().baton(scene.servers()), i);
            open(peerName, scene.ground().peer(scene.servers()), i);
        }
        show(Scene.BATON);
        show(peerName);
    }

    /** The first one is a warm-up. */
    private void open(String who, SpaceFollower follower, int number) throws Exception {
        try (follower) {
            long heap = heap();
            long before = System.nanoTime();
            follower.follow((key, text) -> {});
            long nanos = System.nanoTime() - before;
            if (number >= 0) {
                scene.results().add(TIME, who, number, nanos);
                scene.results().add(HEAP, who, number, heap() - heap);
            }
        }
    }

    private void show(String who) {
        System.out.printf(
                Locale.ROOT,
                "snapshot: %-12s %,d keys after %.0f ms (worst %.0f), %.1f MB of heap%n",
                who,
                size.keys(),
                scene.results().of(TIME, who).millis(0.5),
                scene.results().of(TIME, who).millis(1),
                scene.results().of(HEAP, who).megabytes(0.5));
    }

    private void fill(Writer writer, String space) throws Exception {
        List<CompletableFuture<?>> written = new ArrayList<>();
        for (int i = 0; i < size.keys(); i++) {
            String key = String.format(Locale.ROOT, "large-%05d", i);
            written.add(writer.put(space, key, (key + " ").repeat(BYTES).substring(0, BYTES)));
            if (written.size() == BATCH || i == size.keys() - 1) {
                CompletableFuture.allOf(written.toArray(CompletableFuture[]::new))
                        .get(1, TimeUnit.MINUTES);
                written.clear();
            }
        }
    }

    /** In use after as many collections as it takes until no more is found. */
    private static long heap() throws InterruptedException {
        long last = Long.MAX_VALUE;
        long now = used();
        for (int i = 0; i < 10 && now < last; i++) {
            last = now;
            // What other threads are about to let go of.
            TimeUnit.MILLISECONDS.sleep(50);
            now = used();
        }
        return Math.min(now, last);
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
