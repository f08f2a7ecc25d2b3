package io.baton.tck.sim.config;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigStore;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes good and bad values to the space, at changing rates: by Baton, without Baton, and from a client whose network
 * has no faults. It checks that the reported outcome of each change is true.
 */
final class SimScribe {

    private static final long MILLI = 1_000_000;
    private static final List<String> KEYS = List.of("x0", "x1", "x2", "x3");

    private final Simulation sim;
    private final SimSpace space;
    private final SimulatedStore store;
    private final SimProcess process;
    private final SimLoop thread;
    private final Coordinator coordinator;
    private final AtomicInteger numbers;
    private final SplittableRandom chance;
    private final long mostMillisBetween;
    private boolean stopped;
    private int underWay;
    private int commits;
    private int unknown;
    private @Nullable Throwable broken;

    /** Creates a scribe in a process with the same faults as others. All scribes draw their numbers from one source. */
    SimScribe(
            Simulation sim,
            SimSpace space,
            SimulatedStore store,
            SimProcess process,
            SimLoop thread,
            Coordinator coordinator,
            AtomicInteger numbers) {
        this.sim = sim;
        this.space = space;
        this.store = store;
        this.process = process;
        this.thread = thread;
        this.coordinator = coordinator;
        this.numbers = numbers;
        this.chance = sim.chance();
        this.mostMillisBetween = 400L << chance.nextInt(5);
        sim.afterEveryStep(this::check);
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

    /** Whether the outcomes of all its writes are known. */
    boolean idle() {
        return underWay == 0;
    }

    int commits() {
        return commits;
    }

    int unknown() {
        return unknown;
    }

    /**
     * Writes all related values, for every follower to accept or to refuse. Completes once they are in the store, or
     * with the failure.
     */
    CompletableFuture<ConfigCommit> commit(boolean good) {
        Map<String, String> texts = all(good);
        Duration timeout = Duration.ofMillis(chance.nextLong(500, 20_000));
        var done = new CompletableFuture<ConfigCommit>();
        underWay++;
        thread.execute(() -> {
            ConfigEdit edit = edit(ConfigStore.of(coordinator, SimSpace.TREE), texts)
                    .author("scribe")
                    .timeout(timeout);
            edit.commitAsync().whenComplete((commit, failure) -> {
                underWay--;
                guard(() -> told(texts, commit, failure));
                done.complete(commit);
            });
        });
        return done;
    }

    /** Creates a change to these texts; an empty text deletes its key. */
    static ConfigEdit edit(ConfigStore store, Map<String, String> texts) {
        ConfigEdit edit = store.edit();
        texts.forEach((key, text) -> {
            if (text.isEmpty()) {
                edit.delete(key);
            } else {
                edit.put(key, text);
            }
        });
        return edit;
    }

    private void told(Map<String, String> texts, @Nullable ConfigCommit commit, @Nullable Throwable failure) {
        String number = texts.get(SimSpace.NUMBER);
        thread.note("number " + number + ": " + (commit == null ? String.valueOf(failure) : commit.toString()));
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        if (commit != null) {
            commits++;
            SimSpace.State there = space.at(commit.revision());
            sim.check(
                    there.revision() == commit.revision() && there.change() == commit.change() && there.has(texts),
                    texts + " was told as written by " + commit + ", and there was " + there);
        } else if (cause instanceof OutcomeUnknownException) {
            unknown++;
        } else {
            sim.check(
                    !space.had(Integer.parseInt(String.valueOf(number))),
                    "number " + number + " was told as not written: " + failure);
        }
    }

    private void write() {
        switch (chance.nextInt(8)) {
            case 0 -> store.write(SimSpace.TREE, single());
            case 1 -> again();
            case 2 -> store.write(SimSpace.TREE, all(good()));
            case 3 -> transact(all(good()));
            case 4 -> transact(single());
            default -> commit(good());
        }
    }

    private boolean good() {
        return chance.nextInt(4) > 0;
    }

    /** Deletes a key and adds it again with the same text. */
    private void again() {
        String key = any();
        store.write(SimSpace.TREE, Map.of(key, "same"));
        store.write(SimSpace.TREE, Map.of(key, ""));
        store.write(SimSpace.TREE, Map.of(key, "same"));
    }

    private Map<String, String> single() {
        return new TreeMap<>(Map.of(any(), text()));
    }

    /** Draws values; bad ones are either invalid or vetoed. */
    Map<String, String> all(boolean good) {
        int number = numbers.incrementAndGet();
        while (good && !SimSpace.liked(number)) {
            number = numbers.incrementAndGet();
        }
        Map<String, String> texts = new TreeMap<>();
        texts.put(SimSpace.NUMBER, String.valueOf(number));
        texts.put(SimSpace.LEAST, String.valueOf(number));
        texts.put(SimSpace.MOST, String.valueOf(number + (good || !SimSpace.liked(number) ? 10 : -1)));
        for (int i = chance.nextInt(3); i > 0; i--) {
            texts.put(any(), text());
        }
        return texts;
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
        return chance.nextInt(3) == 0 ? "" : "t" + chance.nextInt(1_000_000);
    }

    /** Runs an action on the space, on a thread of its process. */
    void execute(Consumer<ConfigStore> action) {
        thread.execute(() -> action.accept(ConfigStore.of(coordinator, SimSpace.TREE)));
    }

    void note(String what) {
        thread.note(what);
    }

    private void check() {
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
    }

    /** Runs a callback; an exception fails the run, though callbacks may throw. */
    void guard(Runnable callback) {
        try {
            callback.run();
        } catch (RuntimeException | Error thrown) {
            broken = broken == null ? thrown : broken;
        }
    }

    @Override
    public String toString() {
        return process.name();
    }
}
