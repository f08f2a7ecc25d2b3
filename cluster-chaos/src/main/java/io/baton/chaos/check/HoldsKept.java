package io.baton.chaos.check;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * No hold is lost unless a fault may have cost it: one that disturbed its session, or the store's permission for its lock. Used
 * up space and renewed certificates cost nobody a hold, and a permission that is revoked costs no hold of another lock.
 */
final class HoldsKept implements Check {

    /** What ended before all was well is noticed by its holder somewhat later. */
    private static final int NOTICED_TIMES_TTL = 2;

    private final Duration afterwards;

    /** {@code ttl} is that of the sessions. */
    HoldsKept(Duration ttl) {
        this.afterwards = ttl.multipliedBy(NOTICED_TIMES_TTL);
    }

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        history.holdings().stream()
                .filter(holding -> holding.lost() && !explained(history, holding))
                .forEach(holding -> found.accept(new Violation(
                        Kind.NEEDLESS_LOSS,
                        holding.lock(),
                        Math.max(holding.granted(), holding.validUntil()),
                        holding.sawLost(),
                        holding + " was lost, and no fault may have cost it")));
    }

    private boolean explained(RunHistory history, Holding holding) {
        return history.disturbances().stream()
                .filter(fault -> fault.mayCost(holding.lock()) && fault.at() <= holding.sawLost())
                .anyMatch(fault -> holding.sawLost() <= over(history, fault));
    }

    private long over(RunHistory history, Disturbance fault) {
        return history.healings().stream()
                .filter(healed -> healed > fault.at())
                .findFirst()
                .map(healed -> healed + afterwards.toNanos())
                .orElse(Long.MAX_VALUE);
    }
}
