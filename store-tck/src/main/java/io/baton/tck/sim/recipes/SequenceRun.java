package io.baton.tck.sim.recipes;

import static java.util.Objects.requireNonNull;

import io.baton.recipe.Futures;
import io.baton.recipes.Sequence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Processes that take numbers of one sequence, in blocks of different sizes. */
final class SequenceRun extends RecipeRun {

    private static final int LEAST = 30;

    private final Map<Member, Sequence> sequences = new HashMap<>();
    private final Map<Member, List<CompletableFuture<Long>>> asked = new HashMap<>();
    private final Set<Long> taken = new HashSet<>();

    SequenceRun(long seed) {
        super(seed);
    }

    @Override
    void begin(Member member) {
        sequences.put(member, Sequence.named(member.baton, "tck", chance.nextInt(1, 6)));
        asked.put(member, new ArrayList<>());
    }

    @Override
    void act(Member member) {
        for (int i = chance.nextInt(1, 5); i > 0; i--) {
            CompletableFuture<Long> number =
                    requireNonNull(sequences.get(member)).nextAsync();
            requireNonNull(asked.get(member)).add(number);
            Futures.onDone(number, (value, failure) -> {
                sim.note(member.name, failure == null ? "number " + value : "no number: " + failure);
                counts.add(failure == null ? "numbers" : "numbers refused");
            });
        }
    }

    @Override
    boolean judge() {
        asked.forEach((member, numbers) -> {
            long last = 0;
            for (CompletableFuture<Long> each : numbers) {
                sim.check(each.isDone() || member.dead(), () -> "a call of " + member.name + " was never answered");
                if (each.isDone() && !each.isCompletedExceptionally()) {
                    long number = each.join();
                    long before = last;
                    sim.check(number > before, () -> number + " came after " + before + " in " + member.name);
                    sim.check(taken.add(number), () -> number + " came twice");
                    last = number;
                }
            }
        });
        return taken.size() >= LEAST;
    }
}
