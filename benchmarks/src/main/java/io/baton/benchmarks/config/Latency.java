package io.baton.benchmarks.config;

import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * From just before a write is sent until the listener is called with it. Each side has a space of its own; one writer writes to one
 * and the other in turns, and waits for both the store's answer and the listener before it goes on.
 */
final class Latency {

    private static final String WHAT = "set-to-listener-ns";
    private static final int WAIT_SECONDS = 30;

    private final Scene scene;
    private final Size size;

    Latency(Scene scene, Size size) {
        this.scene = scene;
        this.size = size;
    }

    void measure() throws Exception {
        String peerName = scene.ground().peerName();
        try (Writer writer = scene.ground().writer(scene.servers());
                SpaceFollower baton = scene.ground().baton(scene.servers());
                SpaceFollower peer = scene.ground().peer(scene.servers())) {
            var ours = new Turn(writer, BenchmarkTarget.OURS, baton);
            var theirs = new Turn(writer, BenchmarkTarget.THEIRS, peer);
            for (int i = -size.warmUp(); i < size.writes(); i++) {
                // Whoever comes first in one round comes second in the next.
                long theirTime = i % 2 == 0 ? theirs.take(i) : 0;
                long ourTime = ours.take(i);
                theirTime = i % 2 == 0 ? theirTime : theirs.take(i);
                if (i >= 0) {
                    scene.results().add(WHAT, Scene.BATON, i, ourTime);
                    scene.results().add(WHAT, peerName, i, theirTime);
                }
            }
        }
        show(Scene.BATON);
        show(peerName);
        System.out.printf(
                Locale.ROOT,
                "latency: ratio of the medians %.2f, of the 99th percentiles %.2f%n",
                ratio(0.5, peerName),
                ratio(0.99, peerName));
    }

    private double ratio(double share, String peerName) {
        return (double) scene.results().of(WHAT, Scene.BATON).at(share)
                / scene.results().of(WHAT, peerName).at(share);
    }

    private void show(String who) {
        Sorted times = scene.results().of(WHAT, who);
        System.out.printf(
                Locale.ROOT,
                "latency: %-12s p50 %.3f ms, p99 %.3f ms, worst %.3f ms of %,d writes%n",
                who,
                times.millis(0.5),
                times.millis(0.99),
                times.millis(1),
                times.values().length);
    }

    /** A writer and one who listens. */
    private static final class Turn {

        private record Call(String text, long nanos) {}

        private final Writer writer;
        private final String space;
        private final BlockingQueue<Call> calls = new ArrayBlockingQueue<>(16);

        Turn(Writer writer, String space, SpaceFollower follower) throws Exception {
            this.writer = writer;
            this.space = space;
            writer.put(space, "key", "start").get(WAIT_SECONDS, TimeUnit.SECONDS);
            follower.follow((key, text) -> {
                if (key.equals("key")) {
                    calls.add(new Call(text, System.nanoTime()));
                }
            });
            await("start");
        }

        long take(int number) throws Exception {
            String text = "value " + number;
            long before = System.nanoTime();
            var written = writer.put(space, "key", text);
            long told = await(text);
            written.get(WAIT_SECONDS, TimeUnit.SECONDS);
            return told - before;
        }

        private long await(String text) throws InterruptedException {
            Call call = calls.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            if (call == null || !call.text.equals(text)) {
                throw new IllegalStateException("not told of " + text + ", but " + call);
            }
            return call.nanos;
        }
    }
}
