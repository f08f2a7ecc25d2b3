package io.baton.tck.sim.recipes;

import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.TextLines;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.internal.BarrierWait;
import io.baton.spi.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Parties of a barrier, one in each process: some cancel, some go when their time is over, and most come again.
 *
 * <p>Each verdict is of the round that was not decided, and stays. A round passes with as many parties as the barrier has,
 * all of which stand at that moment, and go by it. A party gets the verdict that is on record, and whoever is in a round
 * that passed is told so, or that nobody knows. In the end everybody passes again, and then nothing is left.
 */
final class BarrierRun extends CoordinatorRun {

    private static final String NAME = "tck";
    private static final String LINE = "baton.parties/" + NAME;
    private static final RecordKey KEY = new RecordKey(Barrier.TREE, NAME);
    private static final int LEAST = 3;

    private final int parties;
    private final List<Waiter> waiters = new ArrayList<>();
    private final List<Wait> waits = new ArrayList<>();
    private final Map<Long, Verdict> verdicts = new LinkedHashMap<>();
    private final Map<String, String> members = new HashMap<>();
    private Set<String> standing = Set.of();
    private boolean calm;
    private long looked;

    /** Somebody who waits again and again. */
    private static final class Waiter {

        private final Member member;
        private int passed;
        private @Nullable Wait present;

        Waiter(Member member) {
            this.member = member;
        }
    }

    /** One wait, and what came of it. */
    private static final class Wait {

        private final Member member;
        private final BarrierWait wait;
        private boolean cancelled;
        private @Nullable BarrierRound round;
        private @Nullable Throwable failure;

        Wait(Member member, BarrierWait wait) {
            this.member = member;
            this.wait = wait;
        }

        boolean isOver() {
            return round != null || failure != null;
        }

        boolean hasPassed() {
            return round != null && round.passed();
        }

        /** Whether it may have been in a round that passed, and was not told so. */
        boolean mayHavePassed() {
            return member.gone()
                    || cancelled
                    || failure instanceof OutcomeUnknownException
                    || failure instanceof CancellationException;
        }
    }

    /** How a round ended, as it is on record. */
    private record Verdict(boolean passed, List<String> ids) {}

    BarrierRun(long seed) {
        super(seed);
        parties = chance.nextInt(2, 4);
        sim.afterEveryStep(this::check);
    }

    @Override
    List<String> lines() {
        return List.of(LINE);
    }

    @Override
    void begin(Member member) {
        var waiter = new Waiter(member);
        waiters.add(waiter);
        later(member, 500, () -> await(waiter));
    }

    private void await(Waiter waiter) {
        Member member = waiter.member;
        if (stopping() || member.gone()) {
            return;
        }
        var wait = new Wait(member, BarrierWait.begin(RecipeContext.of(member.baton, "barriers"), NAME, parties));
        waits.add(wait);
        waiter.present = wait;
        member.thread.note("waits");
        CompletableFuture<BarrierRound> outcome =
                RecipeContext.of(member.baton, "barriers").callbacks().completeInCallback(wait.wait.outcome());
        Futures.onDone(
                outcome,
                (round, failure) ->
                        guarded(() -> over(waiter, wait, round, failure)).run());
        int what = calm ? 0 : chance.nextInt(6);
        if (what == 1) {
            later(member, 1_500, () -> go(wait, "it was cancelled"));
        } else if (what > 3) {
            later(member, 5_000, () -> wait.wait.leave("its time to wait was over"));
        }
    }

    /** Whoever cancels is told nothing. */
    private void go(Wait wait, String why) {
        wait.cancelled = true;
        wait.wait.leave(why);
    }

    private void over(Waiter waiter, Wait wait, @Nullable BarrierRound round, @Nullable Throwable failure) {
        if (round == null) {
            wait.failure = known(failure == null ? new IllegalStateException("no outcome") : failure);
            counts.add("waits: " + wait.failure.getClass().getSimpleName());
            waiter.member.thread.note(anonymous("fails: " + wait.failure.getMessage()));
        } else {
            wait.round = round;
            counts.add(round.passed() ? "rounds passed" : "rounds broken");
            waiter.passed += round.passed() ? 1 : 0;
            waiter.member.thread.note(anonymous("round " + round));
            sim.check(round.parties().contains(round.me()), () -> round + " is of others");
            Verdict verdict = verdicts.get(round.number());
            boolean alone = !round.passed() && round.parties().equals(List.of(round.me()));
            sim.check(
                    alone || new Verdict(round.passed(), round.parties()).equals(verdict),
                    () -> round + " was told, and the record says " + verdict);
            sim.check(
                    !alone
                            || verdict == null
                            || verdict.equals(new Verdict(false, round.parties()))
                            || !verdict.ids().contains(round.me()),
                    () -> round + " was told, and the record says " + verdict);
        }
        later(waiter.member, chance.nextInt(4) == 0 ? 2_000 : 100, () -> await(waiter));
    }

    // ---- rules

    private void check() {
        if (looked == server.version()) {
            return;
        }
        looked = server.version();
        Set<String> before = standing;
        Map<String, List<Entry>> entries = entriesById(LINE);
        standing = entries.keySet();
        entries.forEach((id, its) -> members.put(id, client(its.get(0))));
        Map<Long, Verdict> recorded = recorded();
        recorded.forEach((number, verdict) -> {
            Verdict known = verdicts.putIfAbsent(number, verdict);
            sim.check(known == null || known.equals(verdict), () -> "round " + number + ": " + known + ", " + verdict);
            if (known == null) {
                sim.note("server", anonymous("round " + number + ": " + verdict));
                sim.check(number == verdicts.size(), () -> "round " + number + " was not the next one");
                sim.check(
                        verdict.ids.size() == parties || !verdict.passed,
                        () -> "round " + number + " passed with " + verdict.ids);
                sim.check(
                        before.containsAll(verdict.ids) && verdict.ids.stream().noneMatch(standing::contains),
                        () -> "round " + number + ": of " + verdict + " stood " + before + ", and now " + standing);
            }
        });
    }

    private Map<Long, Verdict> recorded() {
        Map<Long, Verdict> recorded = new LinkedHashMap<>();
        server.record(KEY)
                .ifPresent(item -> TextLines.decode(item.value()).forEach((key, text) -> {
                    boolean passed = key.startsWith("passed ");
                    if (passed || key.startsWith("broken ")) {
                        long number = Long.parseLong(key.substring(key.indexOf(' ') + 1));
                        recorded.put(number, new Verdict(passed, List.of(text.split(" "))));
                    }
                }));
        return recorded;
    }

    @Override
    void recover() {
        calm = true;
        Map<Waiter, Integer> before = new HashMap<>();
        living().forEach(waiter -> before.put(waiter, waiter.passed));
        await(
                "everybody passes again",
                () -> before.entrySet().stream().allMatch(each -> each.getKey().passed > each.getValue()));
    }

    @Override
    void stop() {
        sim.runFor(SOON);
        living().forEach(waiter -> {
            Wait present = waiter.present;
            if (present != null && !present.isOver()) {
                later(waiter.member, 100, () -> present.wait.leave("everybody stops"));
            }
        });
        await("everybody is answered", () -> waits.stream().allMatch(wait -> wait.isOver() || wait.member.gone()));
    }

    private List<Waiter> living() {
        return waiters.stream().filter(waiter -> !waiter.member.gone()).toList();
    }

    @Override
    boolean judge() {
        checkNothingIsLeft();
        Map<String, Integer> unheard = new HashMap<>();
        verdicts.values().stream()
                .filter(Verdict::passed)
                .flatMap(verdict -> verdict.ids.stream())
                .forEach(id -> unheard.merge(members.getOrDefault(id, "nobody"), 1, Integer::sum));
        for (Wait wait : waits) {
            if (wait.hasPassed() || wait.mayHavePassed()) {
                unheard.merge(wait.member.name, -1, Integer::sum);
            }
        }
        unheard.forEach((member, times) -> sim.check(
                times <= 0, () -> member + " was in " + times + " rounds that passed, and was told otherwise"));
        return verdicts.values().stream().filter(Verdict::passed).count() >= LEAST;
    }
}
