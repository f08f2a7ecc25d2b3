package io.baton.tck.sim.recipes;

import io.baton.CoordinationException;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.LineMember;
import io.baton.recipe.RecordAccess;
import io.baton.recipe.TreeFollower;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The records of one client, on a store that is in trouble at times. Then a request is lost or its answer is, it is
 * applied long after the client was told that nobody knows, or the session ends. A read is as new as what the client
 * has seen and been acknowledged, and no newer than it must be. An observer is told of the newest state some time
 * after a change, and not of each one.
 */
final class SimRecords implements RecordAccess {

    private static final Duration USUAL = Duration.ofMillis(2);
    private static final Duration SLOW = Duration.ofMillis(400);

    private final Simulation sim;
    private final RecordHistory history;
    private final SimProcess process;
    private final SimLoop loop;
    private final Duration timeout;
    private final SimCounts counts;
    private final SplittableRandom chance;
    private final List<Observer> observers = new ArrayList<>();
    private boolean trouble;
    private int seen;

    SimRecords(
            Simulation sim,
            RecordHistory history,
            SimProcess process,
            SimLoop loop,
            Duration timeout,
            SimCounts counts) {
        this.sim = sim;
        this.history = history;
        this.process = process;
        this.loop = loop;
        this.timeout = timeout;
        this.counts = counts;
        this.chance = sim.chance();
    }

    /** Begins or ends the time in which requests fail. */
    void trouble(boolean now) {
        trouble = now;
    }

    /** A reply, which comes once. */
    private final class Reply<T> {

        private final CompletableFuture<T> future = new CompletableFuture<>();
        private boolean over;

        void answer(T value, int asOf) {
            loop.execute(() -> {
                if (!over) {
                    over = true;
                    seen = Math.max(seen, asOf);
                    future.complete(value);
                }
            });
        }

        void fail(CoordinationException why) {
            loop.execute(() -> {
                if (!over) {
                    over = true;
                    future.completeExceptionally(why);
                }
            });
        }
    }

    @Override
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        Reply<Optional<Item>> reply = new Reply<>();
        if (hit(6)) {
            counts.add("reads that failed");
            sim.after(timeout, () -> reply.fail(new StoreUnavailableException("the read was not answered")));
        } else {
            sim.after(leg(), () -> {
                int asOf = hit(2) ? chance.nextInt(seen, history.writes() + 1) : history.writes();
                Optional<Item> value = history.at(asOf, key);
                sim.after(leg(), () -> reply.answer(value, asOf));
            });
        }
        return reply.future;
    }

    @Override
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        return writeAndTell(guards, ops).thenApply(Optional::isPresent);
    }

    @Override
    public CompletableFuture<Optional<List<Item>>> writeAndTell(List<Guard> guards, List<Op> ops) {
        Reply<Optional<List<Item>>> reply = new Reply<>();
        if (hit(8)) {
            counts.add("writes that were not sent");
            sim.after(leg(), () -> reply.fail(new StoreUnavailableException("no contact")));
        } else if (hit(3)) {
            counts.add("writes without an answer");
            if (chance.nextBoolean()) {
                Duration until = chance.nextBoolean() ? leg() : timeout.multipliedBy(chance.nextInt(1, 4));
                sim.after(until, () -> apply(guards, ops));
            }
            boolean ended = chance.nextBoolean();
            sim.after(
                    ended ? leg() : timeout,
                    () -> reply.fail(
                            ended
                                    ? new SessionLostException("the session has ended")
                                    : new OutcomeUnknownException("the write was not answered")));
        } else {
            sim.after(leg(), () -> {
                boolean applied = apply(guards, ops);
                int asOf = history.writes();
                Optional<List<Item>> written = applied ? Optional.of(written(ops, asOf)) : Optional.empty();
                sim.after(leg(), () -> reply.answer(written, asOf));
            });
        }
        return reply.future;
    }

    /** What was written; at times the store does not say it. */
    private List<Item> written(List<Op> ops, int asOf) {
        return hit(4)
                ? List.of()
                : ops.stream()
                        .flatMap(op -> history.at(asOf, op.key()).stream())
                        .toList();
    }

    private boolean apply(List<Guard> guards, List<Op> ops) {
        boolean applied = history.apply(guards, ops);
        sim.note(
                process.name(),
                (applied ? "wrote " : "could not write ") + ops.get(0).key());
        return applied;
    }

    @Override
    public Subscription observe(RecordKey key, Consumer<Optional<Item>> listener) {
        Observer observer = new Observer(key, listener);
        observers.add(observer);
        observer.lookLater();
        return () -> observers.remove(observer);
    }

    /** Tells one listener. */
    private final class Observer {

        private final RecordKey key;
        private final Consumer<Optional<Item>> listener;
        private int told = -1;

        Observer(RecordKey key, Consumer<Optional<Item>> listener) {
            this.key = key;
            this.listener = listener;
        }

        void lookLater() {
            sim.inBackgroundAt(
                    sim.now() + (trouble ? timeout.toNanos() : 4 * legNanos()), () -> loop.execute(this::look));
        }

        private void look() {
            if (!observers.contains(this) || process.dead()) {
                return;
            }
            int now = history.writes();
            if (told < 0 || (told != now && !history.at(told, key).equals(history.at(now, key)))) {
                told = now;
                seen = Math.max(seen, now);
                listener.accept(history.at(now, key));
            }
            lookLater();
        }
    }

    private boolean hit(int oneIn) {
        return trouble && chance.nextInt(oneIn) == 0;
    }

    private Duration leg() {
        return Duration.ofNanos(legNanos());
    }

    private long legNanos() {
        Duration most = trouble && chance.nextInt(10) == 0 ? SLOW : USUAL;
        return chance.nextLong(most.toNanos());
    }

    @Override
    public CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<List<Item>> readTree(String tree) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Subscription follow(String tree, TreeFollower follower) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> write(
            String what, List<Guard> guards, List<LineMember> standing, List<Op> ops, List<LineMember> removed) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Boolean> transact(
            String what, List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        throw new UnsupportedOperationException();
    }
}
