package io.baton.tck.sim.recipes;

import io.baton.MembershipState;
import io.baton.recipes.Assignment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The members of a {@link GroupRun} follow which partitions are theirs, each from some time after it joins.
 *
 * <p>A member is given none while it is not in. Within a second after a loss it is told that it has none, also if it is
 * in again at once, and before it is given others. While it is in, an entry of its own stands, so it keeps some. In the
 * end each partition has one owner. Then one member goes and another comes, and only their partitions move.
 */
final class AssignmentRun extends GroupRun {

    private static final int PARTITIONS = 24;
    private static final int LEAST = 10;
    private static final long TOLD_NANOS = 1_000_000_000;

    private final List<Served> following = new ArrayList<>();
    private final Set<Set<String>> stood = new LinkedHashSet<>();
    private long looked;
    private int lists;

    /** A membership, and the partitions that its program was told. */
    private static final class Served {

        private final Joined its;
        private List<Integer> told = List.of();
        private boolean in;
        private int losses;
        private boolean lost;
        private long owedAt;

        Served(Joined its) {
            this.its = its;
            this.losses = its.losses;
        }

        String id() {
            return its.membership.id();
        }

        /** Notes whether it was out since it was told something. */
        void look() {
            MembershipState now = its.membership.state();
            boolean still = now == MembershipState.JOINED || now == MembershipState.JEOPARDY;
            lost |= (in && !still) || its.losses > losses;
            in = still;
            losses = its.losses;
        }

        @Override
        public String toString() {
            return id() + ", which is " + its.membership.state() + " and was told " + told;
        }
    }

    AssignmentRun(long seed) {
        super(seed);
        freezeBesideHeartbeats();
        sim.afterEveryStep(this::check);
    }

    @Override
    void joins(Joined its) {
        later(its.watcher.member, 1_000, () -> follow(its));
    }

    private void follow(Joined its) {
        if (its.isOver()) {
            return;
        }
        var served = new Served(its);
        following.add(served);
        its.membership.onAssignment(
                PARTITIONS,
                partitions -> guarded(() -> told(served, partitions)).run());
    }

    // ---- rules

    private void told(Served served, List<Integer> partitions) {
        served.look();
        served.its.watcher.member.thread.note("serves " + partitions + " as " + served.id());
        counts.add(partitions.isEmpty() ? "ends" : "lists");
        lists++;
        sim.check(!partitions.equals(served.told), () -> served + ", is told the same again");
        if (partitions.isEmpty()) {
            sim.check(served.lost || mayHaveNone(served), () -> served + ", is told none, and was in all the time");
        } else {
            sim.check(served.in, () -> served + ", is given " + partitions + " while it is not in");
            sim.check(
                    !served.lost || served.told.isEmpty(),
                    () -> served + ", is given " + partitions + " before the others end");
        }
        served.told = partitions;
        served.lost = false;
    }

    /** Whether its entry may have gone before it noticed, or others owned all partitions. */
    private boolean mayHaveNone(Served served) {
        return server.isMeddledWithClient(served.its.watcher.member.name)
                || stood.stream()
                        .filter(members -> members.contains(served.id()))
                        .anyMatch(members -> Assignment.of(members, PARTITIONS)
                                .partitionsOf(served.id())
                                .isEmpty());
    }

    private void check() {
        if (looked != server.version()) {
            looked = server.version();
            stood.add(Set.copyOf(entriesById(LINE).keySet()));
        }
        following.removeIf(served -> served.its.watcher.member.gone());
        following.forEach(this::check);
    }

    private void check(Served served) {
        served.look();
        boolean mayHaveSome = served.in && !served.lost; // a loss ends them also if it is in again at once
        if (mayHaveSome || served.told.isEmpty() || served.its.watcher.member.process.paused()) {
            served.owedAt = sim.now();
        }
        sim.check(sim.now() - served.owedAt < TOLD_NANOS, () -> served + ", still has them");
    }

    // ---- the end

    @Override
    void recover() {
        super.recover();
        Map<String, List<Integer>> before = awaitAssigned();
        Joined going = present().get(chance.nextInt(present().size()));
        close(going);
        Map<String, List<Integer>> less = awaitAssigned();
        checkOnlyItsMove(going.membership.id(), before, less);
        join(going.watcher);
        Map<String, List<Integer>> more = awaitAssigned();
        String coming = more.keySet().stream()
                .filter(id -> !less.containsKey(id))
                .findFirst()
                .orElseThrow();
        checkOnlyItsMove(coming, more, less);
    }

    private Map<String, List<Integer>> awaitAssigned() {
        sim.runFor(SOON);
        await("each partition has one owner", () -> {
            var owned = new ArrayList<Integer>();
            assigned().values().forEach(owned::addAll);
            return assigned().size() == present().size()
                    && owned.size() == PARTITIONS
                    && new HashSet<>(owned)
                            .containsAll(IntStream.range(0, PARTITIONS).boxed().toList());
        });
        return assigned();
    }

    /** What the members that are to be in were told. */
    private Map<String, List<Integer>> assigned() {
        Map<String, List<Integer>> byId = new HashMap<>();
        following.stream().filter(served -> !served.its.isOver()).forEach(served -> byId.put(served.id(), served.told));
        return byId;
    }

    /** Checks that with this member and without it, all others have the same but for its own. */
    private void checkOnlyItsMove(String member, Map<String, List<Integer>> with, Map<String, List<Integer>> without) {
        with.forEach((id, its) -> {
            List<Integer> alone = without.getOrDefault(id, List.of());
            sim.check(
                    id.equals(member) || alone.containsAll(its),
                    () -> id + " had " + its + " beside " + member + ", and has " + alone + " without it");
        });
    }

    @Override
    boolean judge() {
        following.forEach(served -> sim.check(served.told.isEmpty(), () -> served + " in the end"));
        return super.judge() && lists >= LEAST;
    }
}
