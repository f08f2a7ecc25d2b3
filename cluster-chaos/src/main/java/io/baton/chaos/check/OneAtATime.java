package io.baton.chaos.check;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** No two holds of a lock are valid at one moment, by what their holders saw themselves. */
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
        Holding longest = null;
        for (Holding next : valid) {
            if (longest != null && next.validFrom() < longest.validUntil()) {
                found.accept(overlap(longest, next));
            }
            if (longest == null || next.validUntil() > longest.validUntil()) {
                longest = next;
            }
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
