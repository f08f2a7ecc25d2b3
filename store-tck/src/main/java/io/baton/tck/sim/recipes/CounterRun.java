package io.baton.tck.sim.recipes;

import static java.util.Objects.requireNonNull;

import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.recipes.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a counter. Operation {@code n} adds the {@code n}th power of 4, so the number shows how often each
 * operation has been counted.
 */
final class CounterRun extends RecipeRun {

    private static final String NAME = "tck";
    private static final int MOST = 30;
    private static final int LEAST = 12;

    private final Map<Member, Counter> counters = new LinkedHashMap<>();
    private final List<Ask> asks = new ArrayList<>();
    private final List<Long> sums = new ArrayList<>();
    private int operations;

    /** A call, and what came of it. */
    private static final class Ask {

        private final Member member;
        private final int operation;
        private final boolean once;
        private @Nullable Boolean counted;
        private @Nullable Throwable failure;

        Ask(Member member, int operation, boolean once) {
            this.member = member;
            this.operation = operation;
            this.once = once;
        }

        boolean answered() {
            return counted != null || failure != null;
        }

        /** Whether the operation may have been counted by this call, as far as the caller knows. */
        boolean mayHaveCounted() {
            return !answered() || Boolean.TRUE.equals(counted) || failure instanceof OutcomeUnknownException;
        }
    }

    CounterRun(long seed) {
        super(seed);
    }

    @Override
    void begin(Member member) {
        counters.put(member, Counter.named(member.baton, NAME));
    }

    @Override
    void act(Member member) {
        if (operations == MOST) {
            return;
        }
        int operation = operations++;
        switch (chance.nextInt(4)) {
            case 0 -> add(member, operation);
            case 1 -> compareAndSet(member, operation);
            default -> {
                once(member, operation);
                repeat(operation);
            }
        }
    }

    private Counter counter(Member member) {
        return requireNonNull(counters.get(member));
    }

    private void add(Member member, int operation) {
        long delta = 1L << (2 * operation);
        Ask ask = ask(member, operation, false);
        note(ask, "adds", counter(member).addAsync(delta).thenApply(sum -> {
            sums.add(sum);
            return (sum & 3 * delta) == delta;
        }));
    }

    private void compareAndSet(Member member, int operation) {
        long expected = number();
        Ask ask = ask(member, operation, false);
        note(ask, "sets", counter(member).compareAndSetAsync(expected, expected + (1L << (2 * operation))));
    }

    private void once(Member member, int operation) {
        Ask ask = ask(member, operation, true);
        note(ask, "adds once", counter(member).addOnceAsync(1L << (2 * operation), "operation " + operation));
    }

    /** Others repeat the operation, as after a restart. */
    private void repeat(int operation) {
        while (chance.nextBoolean()) {
            List<Member> all =
                    counters.keySet().stream().filter(each -> !each.dead()).toList();
            Member other = all.get(chance.nextInt(all.size()));
            later(Duration.ofMillis(chance.nextInt(3_000)), () -> once(other, operation));
        }
    }

    private Ask ask(Member member, int operation, boolean once) {
        Ask ask = new Ask(member, operation, once);
        asks.add(ask);
        return ask;
    }

    private void note(Ask ask, String what, CompletableFuture<Boolean> answer) {
        sim.note(ask.member.name, what + " operation " + ask.operation);
        Futures.onDone(answer, (counted, failure) -> {
            Throwable why = failure == null ? null : Futures.cause(failure);
            ask.counted = counted;
            ask.failure = why;
            counts.add(
                    why == null
                            ? "changes answered"
                            : "changes: " + why.getClass().getSimpleName());
            sim.note(ask.member.name, "operation " + ask.operation + ": " + (why == null ? counted : why));
        });
    }

    private long number() {
        return history.now(new RecordKey(Counter.TREE, NAME))
                .map(item -> TextLines.number(TextLines.decode(item.value()).getOrDefault("value", "")))
                .orElse(0L);
    }

    @Override
    boolean judge() {
        for (Ask ask : asks) {
            sim.check(
                    ask.answered() || ask.member.dead(),
                    () -> "operation " + ask.operation + " of " + ask.member.name + " was never answered");
        }
        long number = number();
        sums.forEach(sum -> sim.check((sum & ~number) == 0, () -> "the sum " + sum + " came to nothing: " + number));
        for (int i = 0; i < operations; i++) {
            judge(i, (number >> (2 * i)) & 3);
        }
        return operations >= LEAST;
    }

    private void judge(int operation, long times) {
        List<Ask> its = asks.stream().filter(ask -> ask.operation == operation).toList();
        long sure = its.stream().filter(ask -> Boolean.TRUE.equals(ask.counted)).count();
        sim.check(times <= 1, () -> "operation " + operation + " was counted " + times + " times");
        sim.check(sure <= 1, () -> "operation " + operation + " was counted for " + sure + " callers");
        sim.check(times >= sure, () -> "operation " + operation + " was acknowledged, and is not counted");
        boolean possible = its.stream().anyMatch(Ask::mayHaveCounted);
        sim.check(
                times == 0 || possible,
                () -> "operation " + operation + " is counted, and everybody was told it is not");
        boolean told = its.stream().anyMatch(ask -> ask.once && Boolean.FALSE.equals(ask.counted));
        sim.check(
                times == 1 || !told,
                () -> "operation " + operation + " is not counted, and somebody was told it had been");
        if (its.size() > 1) {
            counts.add("operations repeated");
        }
    }
}
