package io.baton.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.atomic.DistributedAtomicLong;
import org.apache.curator.framework.recipes.barriers.DistributedBarrier;
import org.apache.curator.framework.recipes.barriers.DistributedDoubleBarrier;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.nodes.GroupMember;
import org.apache.curator.framework.recipes.shared.SharedCount;
import org.apache.curator.framework.recipes.shared.VersionedValue;
import org.apache.curator.retry.RetryNTimes;
import org.jspecify.annotations.Nullable;

/** Curator's recipes, as workers pass through them. */
final class CuratorRecipes {

    private static final String PATH = "/curator/recipes";
    private static final String MEMBER = "member";
    private static final int PATIENCE_SECONDS = 30;

    private CuratorRecipes() {}

    static List<LockTurn> turns(List<CuratorFramework> clients, Row row) throws Exception {
        List<LockTurn> turns = new ArrayList<>();
        for (int i = 0; i < row.workers(); i++) {
            CuratorFramework client = clients.get(i % clients.size());
            turns.add(
                    switch (row.kind()) {
                        case COUNTER -> new Adding(counter(client));
                        case NUMBER -> new Setting(number(client));
                        case BARRIER -> barrier(new DistributedBarrier(client, PATH + "/barrier"), i == 0);
                        case DOUBLE_BARRIER -> new Passing(client, row.workers());
                        case GROUP -> joining(client, clients.get(1));
                        default -> throw new IllegalArgumentException("no recipe: " + row.kind());
                    });
        }
        return turns;
    }

    private static DistributedAtomicLong counter(CuratorFramework client) {
        return new DistributedAtomicLong(client, PATH + "/counter", new RetryNTimes(1_000, 1));
    }

    private record Adding(DistributedAtomicLong counter) implements LockTurn {

        @Override
        public void take(boolean shared) throws Exception {
            expect(counter.increment().succeeded(), "an addition within a thousand attempts");
        }

        @Override
        public void give() {}
    }

    private static SharedCount number(CuratorFramework client) throws Exception {
        var number = new SharedCount(client, PATH + "/number", 0);
        number.start();
        return number;
    }

    private record Setting(SharedCount number) implements LockTurn {

        @Override
        public void take(boolean shared) throws Exception {
            // It may still hear of its own last change, which makes it fail.
            boolean set;
            do {
                VersionedValue<Integer> now = number.getVersionedValue();
                set = number.trySetCount(now, now.getValue() + 1);
            } while (!set);
        }

        @Override
        public void give() {}
    }

    private static LockTurn barrier(DistributedBarrier barrier, boolean lifts) throws Exception {
        if (!lifts) {
            return new Waiting(barrier);
        }
        var lifting = new Lifting(barrier);
        lifting.give();
        return lifting;
    }

    private record Lifting(DistributedBarrier barrier) implements LockTurn {

        @Override
        public void take(boolean shared) throws Exception {
            barrier.removeBarrier();
        }

        @Override
        public void give() throws Exception {
            barrier.setBarrier();
        }
    }

    private record Waiting(DistributedBarrier barrier) implements LockTurn {

        @Override
        public void take(boolean shared) throws Exception {
            expect(barrier.waitOnBarrier(PATIENCE_SECONDS, TimeUnit.SECONDS), "a barrier that is lifted");
        }

        @Override
        public void give() {}
    }

    /** Each time another object: one that was woken once waits without a limit from then on. */
    private static final class Passing implements LockTurn {

        private final CuratorFramework client;
        private final int parties;
        private @Nullable DistributedDoubleBarrier barrier;

        Passing(CuratorFramework client, int parties) {
            this.client = client;
            this.parties = parties;
        }

        @Override
        public void take(boolean shared) throws Exception {
            var entering = new DistributedDoubleBarrier(client, PATH + "/double", parties);
            barrier = entering;
            expect(entering.enter(PATIENCE_SECONDS, TimeUnit.SECONDS), "a round that is entered together");
        }

        @Override
        public void give() throws Exception {
            DistributedDoubleBarrier entered = barrier;
            expect(
                    entered != null && entered.leave(PATIENCE_SECONDS, TimeUnit.SECONDS),
                    "a round that is left together");
        }
    }

    private static LockTurn joining(CuratorFramework client, CuratorFramework other) {
        var seen = new Sightings();
        CuratorCache cache = CuratorCache.build(other, PATH + "/group");
        cache.listenable().addListener((kind, before, now) -> {
            if (now != null && now.getPath().endsWith(MEMBER)) {
                seen.see(true);
            } else if (now == null && before.getPath().endsWith(MEMBER)) {
                seen.see(false);
            }
        });
        cache.start(); // it ends with the other client
        return new Joining(client, seen);
    }

    private static final class Joining implements LockTurn {

        private final CuratorFramework client;
        private final Sightings seen;
        private @Nullable GroupMember member;

        Joining(CuratorFramework client, Sightings seen) {
            this.client = client;
            this.seen = seen;
        }

        @Override
        public void take(boolean shared) throws Exception {
            var joining = new GroupMember(client, PATH + "/group", MEMBER);
            member = joining;
            joining.start();
            seen.await(true);
        }

        @Override
        public void give() throws Exception {
            Objects.requireNonNull(member, "no member has joined").close();
            seen.await(false);
        }
    }

    private static void expect(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("expected " + what);
        }
    }
}
