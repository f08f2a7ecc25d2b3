package io.baton.chaos.check;

import java.util.Collection;
import java.util.function.Consumer;

/**
 * The counter to which all add is in the end the number of additions that were applied, and perhaps of some unknown. Those
 * that a fail-over may have lost count as unknown.
 */
final class AdditionsCounted implements Check {

    AdditionsCounted() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Collection<Addition> additions = history.recipes().additions();
        long certain = additions.stream()
                .filter(addition -> addition.isCertain(history.lossWindows()))
                .count();
        long possible = additions.stream().filter(Addition::isPossible).count();
        history.recipes()
                .sum()
                .filter(sum -> sum.value() < certain || sum.value() > possible)
                .ifPresent(sum -> found.accept(new Violation(
                        Kind.WRONG_SUM,
                        "the counter",
                        sum.at(),
                        sum.at(),
                        "the counter is " + sum.value() + " in the end, after " + certain
                                + " additions that were applied for certain, and " + possible + " at most")));
    }
}
