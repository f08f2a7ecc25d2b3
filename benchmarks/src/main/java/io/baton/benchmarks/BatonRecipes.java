package io.baton.benchmarks;

import io.baton.Coordinator;
import io.baton.recipes.Counter;
import io.baton.recipes.DoubleBarrier;
import io.baton.recipes.DoubleBarrierRound;
import io.baton.recipes.Group;
import io.baton.recipes.GroupMembership;
import io.baton.recipes.Latch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Baton's recipes, as workers pass through them. */
final class BatonRecipes {

    private static final String NAME = "contended";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private BatonRecipes() {}

    static List<LockTurn> turns(List<Coordinator> clients, Row row) throws InterruptedException {
        List<LockTurn> turns = new ArrayList<>();
        for (int i = 0; i < row.workers(); i++) {
            Coordinator client = clients.get(i % clients.size());
            turns.add(
                    switch (row.kind()) {
                        case COUNTER -> new Adding(Counter.named(client, NAME));
                        case NUMBER -> new Setting(Counter.named(client, NAME + "-number"));
                        case BARRIER -> barrier(Latch.named(client, NAME), i == 0);
                        case DOUBLE_BARRIER -> new Passing(DoubleBarrier.named(client, NAME, row.workers()));
                        case GROUP -> joining(client, clients.get(1));
                        default -> throw new IllegalArgumentException("no recipe: " + row.kind());
                    });
        }
        return turns;
    }

    private record Adding(Counter counter) implements LockTurn {

        @Override
        public void take(boolean shared) throws InterruptedException {
            counter.add(1);
        }

        @Override
        public void give() {}
    }

    private static final class Setting implements LockTurn {

        private final Counter number;
        private long value;

        Setting(Counter number) throws InterruptedException {
            this.number = number;
            this.value = number.get();
        }

        @Override
        public void take(boolean shared) throws InterruptedException {
            expect(number.compareAndSet(value, value + 1), "a number that nobody else sets");
            value++;
        }

        @Override
        public void give() {}
    }

    private static LockTurn barrier(Latch latch, boolean lifts) throws InterruptedException {
        if (!lifts) {
            return new Waiting(latch);
        }
        var lifting = new Lifting(latch);
        lifting.give();
        return lifting;
    }

    private record Lifting(Latch latch) implements LockTurn {

        @Override
        public void take(boolean shared) throws InterruptedException {
            expect(latch.countDown("lifted"), "a barrier that was set");
        }

        @Override
        public void give() throws InterruptedException {
            latch.reset();
            latch.open(1);
        }
    }

    private record Waiting(Latch latch) implements LockTurn {

        @Override
        public void take(boolean shared) throws InterruptedException {
            expect(latch.await(PATIENCE), "a barrier that is lifted");
        }

        @Override
        public void give() {}
    }

    private static final class Passing implements LockTurn {

        private final DoubleBarrier barrier;
        private @Nullable DoubleBarrierRound round;

        Passing(DoubleBarrier barrier) {
            this.barrier = barrier;
        }

        @Override
        public void take(boolean shared) throws InterruptedException {
            round = barrier.enter(PATIENCE).orThrow();
        }

        @Override
        public void give() throws InterruptedException {
            DoubleBarrierRound entered = round;
            expect(entered != null && entered.leave(PATIENCE).passed(), "a round that is left together");
        }
    }

    private static LockTurn joining(Coordinator client, Coordinator other) {
        var seen = new Sightings();
        // It ends with the other coordinator.
        var unused = Group.named(other, NAME)
                .onChange(view -> seen.see(!view.members().isEmpty()));
        return new Joining(Group.named(client, NAME), seen);
    }

    private static final class Joining implements LockTurn {

        private final Group group;
        private final Sightings seen;
        private @Nullable GroupMembership membership;

        Joining(Group group, Sightings seen) {
            this.group = group;
            this.seen = seen;
        }

        @Override
        public void take(boolean shared) throws Exception {
            membership = group.join("member");
            seen.await(true);
        }

        @Override
        public void give() throws Exception {
            Objects.requireNonNull(membership, "no member has joined").close();
            seen.await(false);
        }
    }

    private static void expect(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("expected " + what);
        }
    }
}
