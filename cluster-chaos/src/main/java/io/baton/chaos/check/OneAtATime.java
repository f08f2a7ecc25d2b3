package io.baton.chaos.check;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * No two holds of a lock are valid at one moment, by what their holders saw themselves; but for those of readers beside
 * each other.
 */
final class OneAtATime implements Check {

    OneAtATime() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        history.holdingsByLock().values().forEach(holdings -> check(holdings, found));
    }

    private static void check(List<Holding> holdings, Consumer<Violation> found) {
        List<Holding> valid = holdings.stream()
                .filter(Holding::valid)
                .sorted(Comparator.comparingLong(Holding::validFrom))
                .toList();
        Furthest before = new Furthest(Comparator.comparingLong(Holding::validUntil));
        for (Holding next : valid) {
            before.inConflictWith(next)
                    .filter(longest -> next.validFrom() < longest.validUntil())
                    .ifPresent(longest -> found.accept(overlap(longest, next)));
            before.add(next);
        }
    }

    private static Violation overlap(Holding one, Holding other) {
        long until = Math.min(one.validUntil(), Math.max(other.validFrom(), other.validUntil()));
        return new Violation(
                Kind.OVERLAP,
                one.lock(),
                other.validFrom(),
                until,
                one + " and " + other + " were both valid for " + Times.millis(until - other.validFrom()));
    }
}
