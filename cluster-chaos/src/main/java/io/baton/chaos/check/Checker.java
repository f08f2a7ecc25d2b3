package io.baton.chaos.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Holds a history against every rule. */
public final class Checker {

    private final List<Check> checks;

    /**
     * A checker.
     *
     * @param bound how long it may take until each lock is granted again, once all is well
     * @param ttl of the clients' sessions
     * @param oneOrder whether the tokens of all locks together are in the order in which entries were made
     */
    public Checker(Duration bound, Duration ttl, boolean oneOrder) {
        List<Check> all = new ArrayList<>(List.of(
                new OneAtATime(),
                new PromisesKept(),
                new TokensRise(),
                new PermitsWithinSize(),
                new RestsKept(ttl),
                new WritesInOrder(),
                new NothingLost(),
                new AdditionsCounted(),
                new NumbersOnce(),
                new BarriersAgree(),
                new LatchesFull(),
                new AnswersAgree(),
                new MembersSeen(ttl),
                new HoldsKept(ttl),
                new Availability(bound),
                new GoodEnd()));
        if (oneOrder) {
            all.add(new HandOversBounded());
        }
        checks = List.copyOf(all);
    }

    /** What must not have happened, and did; in the order in which it did. */
    public List<Violation> check(RunHistory history) {
        List<Violation> found = new ArrayList<>();
        checks.forEach(check -> check.run(history, found::add));
        found.sort(Comparator.comparingLong(Violation::from));
        return List.copyOf(found);
    }

    /** How long it took after each healing until each lock, wanted and free, was granted. */
    public static List<Duration> waitsAfterHealing(RunHistory history) {
        return Availability.lengths(history);
    }
}
