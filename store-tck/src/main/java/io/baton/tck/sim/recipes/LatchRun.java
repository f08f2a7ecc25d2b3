package io.baton.tck.sim.recipes;

import static java.util.Objects.requireNonNull;

import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.recipes.Latch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Processes that open a latch, count down, wait, and begin the next round. */
final class LatchRun extends RecipeRun {

    private static final RecordKey KEY = new RecordKey(Latch.TREE, "tck");
    private static final List<String> IDS = List.of("a", "b", "c");
    private static final int LEAST = 2;

    private final Map<Member, Latch> latches = new LinkedHashMap<>();
    private final Map<Member, Long> knownRounds = new LinkedHashMap<>();
    private final List<Call<Boolean>> opens = new ArrayList<>();
    private final Map<String, List<Call<Boolean>>> countDowns = new LinkedHashMap<>();
    private final List<Call<Long>> resets = new ArrayList<>();
    private long lastToBeReleased;
    private final List<Call<Void>> waits = new ArrayList<>();
    private final List<String> breaches = new ArrayList<>();

    /** A call, and what came of it. */
    private static final class Call<T> {

        private final Member member;
        private final long roundBefore;
        private @Nullable T result;
        private @Nullable Throwable failure;
        private boolean isOver;

        Call(Member member, long roundBefore) {
            this.member = member;
            this.roundBefore = roundBefore;
        }

        boolean isTrue() {
            return Boolean.TRUE.equals(result);
        }

        boolean isUnknown() {
            return !isOver || failure instanceof OutcomeUnknownException;
        }
    }

    /** The record of a latch. */
    private record State(long round, long before, int count, List<String> ids) {

        long released() {
            return count > 0 && ids.size() >= count ? round : before;
        }
    }

    LatchRun(long seed) {
        super(seed);
        IDS.forEach(id -> countDowns.put(id, new ArrayList<>()));
        sim.after(SETTLED, this::releaseAndReset);
    }

    @Override
    void begin(Member member) {
        latches.put(member, Latch.named(member.baton, KEY.name()));
        knownRounds.put(member, 1L);
    }

    private Latch latch(Member member) {
        return requireNonNull(latches.get(member));
    }

    @Override
    void act(Member member) {
        switch (chance.nextInt(12)) {
            case 0, 1 -> open(member);
            case 2 -> reset(member);
            case 3, 4, 5 -> await(member);
            default -> countDown(member, IDS.get(chance.nextInt(IDS.size())));
        }
    }

    private CompletableFuture<Boolean> open(Member member) {
        return note("opens", opens, member, latch(member).openAsync(IDS.size()));
    }

    private CompletableFuture<Boolean> countDown(Member member, String id) {
        return note(
                "counts " + id,
                requireNonNull(countDowns.get(id)),
                member,
                latch(member).countDownAsync(id));
    }

    private void reset(Member member) {
        CompletableFuture<Long> round = latch(member).resetAsync();
        note("resets", resets, member, round);
        Futures.onDone(round, (number, failure) -> {
            if (failure == null) {
                knownRounds.merge(member, number, Math::max);
                await(member);
            }
        });
    }

    private void await(Member member) {
        long atLeast = requireNonNull(knownRounds.get(member));
        CompletableFuture<Void> waiting = latch(member).awaitAsync();
        note("waits", waits, member, waiting);
        Futures.onDone(waiting, (letGo, failure) -> {
            long last = state(history.writes()).released();
            if (failure != null) {
                breaches.add(member.name + " waits no more: " + failure);
            } else if (last < atLeast) {
                breaches.add(member.name + " was let go by round " + last + ", and had seen " + atLeast + " begin");
            } else {
                counts.add("waiters let go");
            }
        });
    }

    private <T> CompletableFuture<T> note(
            String what, List<Call<T>> calls, Member member, CompletableFuture<T> future) {
        var call = new Call<T>(member, state(history.writes()).round);
        calls.add(call);
        sim.note(member.name, what);
        Futures.onDone(future, (result, failure) -> {
            call.isOver = true;
            call.result = result;
            call.failure = failure == null ? null : Futures.cause(failure);
            counts.add(
                    failure == null
                            ? "calls answered"
                            : "calls: " + Futures.cause(failure).getClass().getSimpleName());
            sim.note(member.name, what + ": " + (failure == null ? result : call.failure));
        });
        return future;
    }

    /** One client releases the round and begins the next one: all that have waited until now have to be let go. */
    private void releaseAndReset() {
        Member last = living().get(0);
        lastToBeReleased = state(history.writes()).round;
        CompletableFuture<Boolean> step = open(last).exceptionally(open -> false);
        for (String id : IDS) {
            step = step.thenCompose(before -> countDown(last, id)).exceptionally(over -> false);
        }
        var unused = step.thenAccept(done -> reset(last));
    }

    @Override
    boolean judge() {
        sim.check(breaches.isEmpty(), () -> String.join("; ", breaches));
        List<Call<?>> all = new ArrayList<>(opens);
        countDowns.values().forEach(all::addAll);
        all.addAll(resets);
        all.forEach(each -> sim.check(
                each.isOver || each.member.dead(), () -> "a call of " + each.member.name + " was never answered"));
        State last = judgeHistory();
        if (last.released() >= lastToBeReleased) {
            counts.add("last rounds released");
            waits.stream()
                    .filter(each -> each.roundBefore <= lastToBeReleased)
                    .forEach(each -> sim.check(
                            each.isOver || each.member.dead(),
                            () -> each.member.name + " waits for a round that was released"));
        }
        judgeResets(last.round);
        return last.released() >= LEAST;
    }

    private State judgeHistory() {
        Set<Long> opened = new HashSet<>();
        Map<String, Set<Long>> counted = new HashMap<>();
        State before = state(0);
        for (int writes = 1; writes <= history.writes(); writes++) {
            State was = before;
            State is = state(writes);
            sim.check(is.released() >= was.released(), () -> was + " was released, and then " + is);
            if (is.count > 0) {
                opened.add(is.round);
            }
            is.ids.forEach(
                    id -> counted.computeIfAbsent(id, first -> new HashSet<>()).add(is.round));
            before = is;
        }
        judge("opened", opens, opened.size());
        countDowns.forEach((id, calls) ->
                judge(id + " counted", calls, counted.getOrDefault(id, Set.of()).size()));
        return before;
    }

    private void judge(String what, List<Call<Boolean>> calls, int rounds) {
        long sure = calls.stream().filter(Call::isTrue).count();
        long unknown = calls.stream().filter(Call::isUnknown).count();
        sim.check(sure <= rounds, () -> what + " in " + rounds + " rounds, and " + sure + " calls were told so");
        sim.check(
                sure + unknown >= rounds,
                () -> what + " in " + rounds + " rounds, and all but " + (sure + unknown) + " were told otherwise");
    }

    /** Each round was begun by a call of its own, which returned that round or a later one, or does not know. */
    private void judgeResets(long last) {
        List<Call<Long>> left = new ArrayList<>(resets);
        for (long round = 2; round <= last; round++) {
            long begun = round;
            var by = left.stream()
                    .filter(each -> each.roundBefore < begun && latest(each) >= begun)
                    .min(Comparator.comparingLong(LatchRun::latest));
            sim.check(by.isPresent(), () -> "round " + begun + " was begun by none of the resets, or by one twice");
            by.ifPresent(left::remove);
        }
        resets.forEach(each -> sim.check(
                each.result == null || each.result <= last, () -> "round " + each.result + " was never begun"));
    }

    private static long latest(Call<Long> reset) {
        return reset.result != null ? reset.result : reset.isUnknown() ? Long.MAX_VALUE : 0;
    }

    private State state(int writes) {
        return history.at(writes, KEY)
                .map(item -> {
                    Map<String, String> lines = TextLines.decode(item.value());
                    return new State(
                            TextLines.number(lines.getOrDefault("round", "")),
                            TextLines.number(lines.getOrDefault("released", "")),
                            (int) TextLines.number(lines.getOrDefault("count", "")),
                            lines.keySet().stream()
                                    .filter(line -> line.startsWith("counted "))
                                    .map(line -> line.substring("counted ".length()))
                                    .toList());
                })
                .orElse(new State(1, 0, 0, List.of()));
    }
}
