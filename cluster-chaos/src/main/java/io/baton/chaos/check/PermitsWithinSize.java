package io.baton.chaos.check;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * The permits of the holds of a semaphore that are certain at one moment are no more than it has. This holds for a process
 * that was frozen or killed meanwhile as well.
 */
final class PermitsWithinSize implements Check {

    PermitsWithinSize() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        history.holdingsByLock().values().forEach(holdings -> check(holdings, found));
    }

    private static void check(List<Holding> holdings, Consumer<Violation> found) {
        List<Holding> certain = holdings.stream()
                .filter(holding -> holding.permits() > 0 && holding.validFrom() < holding.promisedUntil())
                .sorted(Comparator.comparingLong(Holding::validFrom))
                .toList();
        PriorityQueue<Holding> out = new PriorityQueue<>(Comparator.comparingLong(Holding::promisedUntil));
        for (Holding next : certain) {
            while (!out.isEmpty() && out.element().promisedUntil() <= next.validFrom()) {
                out.remove();
            }
            out.add(next);
            long permits = out.stream().mapToLong(Holding::permits).sum();
            if (permits > next.size()) {
                found.accept(new Violation(
                        Kind.TOO_MANY_PERMITS,
                        next.lock(),
                        next.validFrom(),
                        out.element().promisedUntil(),
                        permits + " of " + next.size() + " permits were held at once: " + List.copyOf(out)));
            }
        }
    }
}
