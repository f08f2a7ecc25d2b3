package io.baton.tck.sim.recipes;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.ReleaseRequest;
import io.baton.Subscription;
import io.baton.recipe.LineAccess;
import io.baton.recipe.LineAcquisition;
import io.baton.spi.Guarantees;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lock, in turn. In the time of trouble the entries of holders are removed, and the next one is granted before the
 * holder is told: as with one that is paused, or out of contact. The entry of a process that was killed goes after a
 * while.
 */
final class SimHolds {

    private static final int LEG_NANOS = 2_000_000;
    private static final int LONGEST_HOLD_MILLIS = 4_000;
    private static final Duration SESSION = Duration.ofSeconds(1);

    private final Simulation sim;
    private final RecordHistory history;
    private final SimCounts counts;
    private final Deque<Stand> line = new ArrayDeque<>();
    private @Nullable SplittableRandom chance;
    private boolean trouble = true;
    private long tokens;

    SimHolds(Simulation sim, RecordHistory history, SimCounts counts) {
        this.sim = sim;
        this.history = history;
        this.counts = counts;
    }

    /** Drawn when it is needed first, so that runs without holds take the same course as ever. */
    private SplittableRandom chance() {
        if (chance == null) {
            chance = sim.chance();
        }
        return chance;
    }

    /** Ends the time in which holders lose the lock. */
    void trouble(boolean now) {
        trouble = now;
    }

    /** The lock, for a client of this process. */
    LineAccess of(SimProcess process, SimLoop loop) {
        return (LineAccess) Proxy.newProxyInstance(
                LineAccess.class.getClassLoader(), new Class<?>[] {LineAccess.class}, (proxy, method, args) -> {
                    if (method.getName().equals("acquire")) {
                        return acquire(process, loop, (LineAcquisition.Listener) args[2]);
                    }
                    throw new UnsupportedOperationException(method.toString());
                });
    }

    private Stand acquire(SimProcess process, SimLoop loop, LineAcquisition.Listener listener) {
        var stand = new Stand(process, loop, listener);
        sim.after(leg(), stand::join);
        return stand;
    }

    private void grant() {
        Stand first = line.peek();
        if (first == null || first.isGranted) {
            return;
        }
        first.isGranted = true;
        counts.add("grants");
        sim.note(first.process.name(), "holds, token " + first.token);
        first.loop.execute(first::granted);
        if (trouble && chance().nextBoolean()) {
            sim.after(Duration.ofMillis(chance().nextInt(LONGEST_HOLD_MILLIS)), first::expire);
        }
    }

    private void remove(Stand stand) {
        if (line.remove(stand)) {
            history.held().remove(stand.token);
            grant();
        }
    }

    private Duration leg() {
        return Duration.ofNanos(chance().nextLong(LEG_NANOS));
    }

    /** A contender, and its hold. */
    private final class Stand implements LineAcquisition, Hold {

        private final SimProcess process;
        private final SimLoop loop;
        private final Listener listener;
        private long token;
        private boolean isGranted;
        private boolean isWithdrawn;
        private HoldState state = HoldState.HELD;

        Stand(SimProcess process, SimLoop loop, Listener listener) {
            this.process = process;
            this.loop = loop;
            this.listener = listener;
        }

        void join() {
            if (!isWithdrawn && !process.dead()) {
                token = ++tokens;
                line.add(this);
                history.held().add(token);
                goWithTheProcess();
                grant();
            }
        }

        private void goWithTheProcess() {
            sim.inBackgroundAt(sim.now() + SESSION.toNanos(), () -> {
                if (process.dead()) {
                    remove(this);
                } else if (line.contains(this)) {
                    goWithTheProcess();
                }
            });
        }

        void granted() {
            if (!isWithdrawn) {
                listener.granted(this);
            }
        }

        /** The store removes the entry, and its owner is told later. */
        void expire() {
            if (trouble && line.contains(this)) {
                counts.add("holds lost");
                sim.note(process.name(), "has lost token " + token + ", and is not told yet");
                remove(this);
                sim.after(Duration.ofNanos(chance().nextLong(SESSION.toNanos())), () -> loop.execute(this::lost));
            }
        }

        private void lost() {
            if (state == HoldState.HELD) {
                state = HoldState.LOST;
                listener.changed(state, true);
            }
        }

        @Override
        public CompletableFuture<Void> withdraw() {
            isWithdrawn = true;
            state = HoldState.RELEASED;
            CompletableFuture<Void> gone = new CompletableFuture<>();
            sim.after(leg(), () -> {
                remove(this);
                loop.execute(() -> gone.complete(null));
            });
            return gone;
        }

        @Override
        public String name() {
            return "simulated";
        }

        @Override
        public long token() {
            return token;
        }

        @Override
        public Guarantees guarantees() {
            return SimRecipeContext.GUARANTEES;
        }

        @Override
        public HoldState state() {
            return state;
        }

        @Override
        public Duration remaining() {
            return state == HoldState.HELD ? SESSION : Duration.ZERO;
        }

        @Override
        public void ensureValid(Duration atLeast) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription onLost(Runnable listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription onState(Consumer<HoldState> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription onReleaseRequested(Consumer<ReleaseRequest> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> releaseAsync() {
            throw new UnsupportedOperationException();
        }
    }
}
