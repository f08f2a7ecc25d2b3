package io.baton.testkit.sim.config;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Writes the space, in one way and another, good and bad, at its ease and in a hurry. */
final class SimScribe {

    private static final long MILLI = 1_000_000;
    private static final List<String> KEYS = List.of("x0", "x1", "x2", "x3");

    private final Simulation sim;
    private final ConfigWorld world;
    private final SplittableRandom chance;
    private final long mostMillisBetween;
    private final SimLoop thread;
    private final Coordinator coordinator;
    private boolean stopped;
    private int number;
    private int change;
    private int text;
    private int underWay;

    /** The coordinator is of a process that is in for the same trouble as others. */
    SimScribe(Simulation sim, ConfigWorld world, SimLoop thread, Coordinator coordinator) {
        this.sim = sim;
        this.world = world;
        this.thread = thread;
        this.coordinator = coordinator;
        this.chance = sim.chance();
        this.mostMillisBetween = 100L << chance.nextInt(5);
    }

    void start() {
        sim.at(sim.now() + chance.nextLong(MILLI, mostMillisBetween * MILLI), () -> {
            if (!stopped) {
                for (int i = chance.nextInt(6) == 0 ? chance.nextInt(2, 9) : 1; i > 0; i--) {
                    write();
                }
                start();
            }
        });
    }

    void stop() {
        stopped = true;
    }

    /** Whether it knows what has become of all it wrote. */
    boolean idle() {
        return underWay == 0;
    }

    /** Writes all that belongs together, for everybody to agree with or to refuse; its number. */
    int writeAll(boolean good) {
        Map<String, String> texts = all(good);
        texts.put(SimSpace.HEAD, head());
        world.write(texts);
        return number;
    }

    private void write() {
        switch (chance.nextInt(8)) {
            case 0 -> world.write(single());
            case 1 -> again();
            case 2, 3 -> transact(all(good()));
            case 4 -> transact(single());
            default -> writeAll(good());
        }
    }

    private boolean good() {
        return chance.nextInt(4) > 0;
    }

    /** A key goes, and comes back with the same text. */
    private void again() {
        String key = any();
        world.write(Map.of(key, "same"));
        world.write(Map.of(key, ""));
        world.write(Map.of(key, "same"));
    }

    private Map<String, String> single() {
        return new TreeMap<>(Map.of(any(), chance.nextInt(3) == 0 ? "" : text()));
    }

    /** What is bad is either upside down or not liked. */
    private Map<String, String> all(boolean good) {
        number++;
        while (good && !SimSpace.liked(number)) {
            number++;
        }
        Map<String, String> texts = new TreeMap<>();
        texts.put(SimSpace.NUMBER, String.valueOf(number));
        texts.put(SimSpace.LEAST, String.valueOf(number));
        texts.put(SimSpace.MOST, String.valueOf(number + (good || !SimSpace.liked(number) ? 10 : -1)));
        for (int i = chance.nextInt(3); i > 0; i--) {
            texts.put(any(), chance.nextInt(3) == 0 ? "" : text());
        }
        return texts;
    }

    private String head() {
        return "{\"change\":" + ++change + ",\"oldest\":1,\"retain\":1000,\"secrets\":[]}";
    }

    private void transact(Map<String, String> texts) {
        underWay++;
        thread.execute(() -> {
            List<Op> ops = new ArrayList<>();
            texts.forEach((name, value) -> {
                var key = new RecordKey(SimSpace.TREE, name);
                ops.add(value.isEmpty() ? Op.delete(key) : Op.put(key, value));
            });
            coordinator.transactAsync(List.of(), ops).whenComplete((done, failure) -> underWay--);
        });
    }

    private String any() {
        return KEYS.get(chance.nextInt(KEYS.size()));
    }

    private String text() {
        return "t" + ++text;
    }
}
