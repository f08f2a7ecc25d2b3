package io.baton.chaos.check;

import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Nobody is granted a lock before the earlier holder's time is over: that of which it was told to be certain, unless it
 * has begun to release. A reader may be granted beside readers. This holds for a process that was frozen or killed meanwhile as well.
 */
final class PromisesKept implements Check {

    PromisesKept() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        history.holdingsByLock().values().forEach(holdings -> check(holdings, found));
    }

    private static void check(List<Holding> holdings, Consumer<Violation> found) {
        List<Holding> inOrder =
                holdings.stream().sorted(Comparator.comparing(Holding::token)).toList();
        Furthest before = new Furthest(Comparator.comparingLong(Holding::promisedUntil));
        for (Holding next : inOrder) {
            before.inConflictWith(next)
                    .filter(furthest -> tooEarly(furthest, next))
                    .ifPresent(furthest -> found.accept(broken(furthest, next)));
            before.add(next);
        }
    }

    /** One of a larger token that was granted before is out of order, which is another rule's concern. */
    private static boolean tooEarly(Holding promised, Holding next) {
        return promised.token().isBefore(next.token())
                && promised.granted() < next.seen()
                && next.seen() < promised.promisedUntil();
    }

    private static Violation broken(Holding promised, Holding granted) {
        return new Violation(
                Kind.BROKEN_PROMISE,
                promised.lock(),
                granted.seen(),
                promised.promisedUntil(),
                granted + " was granted " + Times.millis(promised.promisedUntil() - granted.seen())
                        + " before the time of " + promised + " was over");
    }
}
