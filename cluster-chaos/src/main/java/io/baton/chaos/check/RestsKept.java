package io.baton.chaos.check;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A lock with {@code holdAtLeast} is granted no earlier than that after its last grant, and one with
 * {@code delayAfterLoss} no earlier than that after the entry of a hold that was not released has gone.
 *
 * <p>All is measured by the clock of the histories. A hold was granted after it was asked for, and after any hold before
 * it was last seen valid. A holder that was killed, or lost its hold, had its entry until the end of the time that it was
 * promised. Where the process of the last hold has ended, or its session, the rest is counted by wall clocks. So the
 * faults that move those of clients excuse a short rest, unless nothing else was wrong and the last holder went on.
 */
final class RestsKept implements Check {

    /** What wall clocks that are right may differ from the clock of the histories, over a few seconds. */
    private static final long TOLERANCE = TimeUnit.MILLISECONDS.toNanos(20);

    private final Duration ttl;

    /** {@code ttl} is that of the sessions. */
    RestsKept(Duration ttl) {
        this.ttl = ttl;
    }

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Aftermath faults = new Aftermath(history, ttl);
        history.holdingsByLock().values().stream()
                .filter(holdings -> holdings.get(0).terms().rests())
                .forEach(holdings -> check(history, faults, holdings, found));
    }

    private static void check(RunHistory history, Aftermath faults, List<Holding> holdings, Consumer<Violation> found) {
        List<Holding> inOrder =
                holdings.stream().sorted(Comparator.comparing(Holding::token)).toList();
        long heldBefore = Long.MIN_VALUE;
        for (int i = 0; i + 1 < inOrder.size(); i++) {
            Holding last = inOrder.get(i);
            Holding next = inOrder.get(i + 1);
            long from = Math.max(last.asked(), heldBefore);
            if (isShorter(from, next, last.terms().holdAtLeast()) && counts(history, faults, from, last, next)) {
                found.accept(violation(from, last, next, "was granted"));
            }
            long gone = last.stoodUntil();
            if (last.valid()
                    && isUnreleased(history, last)
                    && isShorter(gone, next, last.terms().delayAfterLoss())
                    && faults.between(gone, next.granted()).noneMatch(Disturbance::movesClientClock)) {
                found.accept(violation(gone, last, next, "had an entry"));
            }
            heldBefore = Math.max(heldBefore, last.validUntil());
        }
    }

    private static boolean isShorter(long from, Holding next, long rest) {
        return rest > 0 && next.granted() - from < rest - TOLERANCE;
    }

    private static boolean isUnreleased(RunHistory history, Holding last) {
        return last.lost() || (!last.released() && history.killed(last.who()).isPresent());
    }

    /** Whether the rest after the grant had to be kept, whatever wall clocks showed. */
    private static boolean counts(RunHistory history, Aftermath faults, long from, Holding last, Holding next) {
        List<Disturbance> meanwhile = faults.between(from, next.granted()).toList();
        boolean clocksMoved = meanwhile.stream().anyMatch(Disturbance::movesClientClock);
        boolean wentOn = meanwhile.stream().allMatch(Disturbance::movesClientClock)
                && !last.lost()
                && history.lastAsked(last.who()) > next.granted();
        return !clocksMoved || wentOn;
    }

    private static Violation violation(long from, Holding last, Holding next, String what) {
        return new Violation(
                Kind.SHORT_REST,
                next.lock(),
                from,
                next.granted(),
                next + " was granted " + Times.millis(next.granted() - from) + " at most after " + last + " " + what
                        + "; the options are " + last.terms());
    }
}
