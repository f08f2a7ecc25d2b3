package io.baton.chaos.check;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * No hold is lost unless a fault may have cost it: one that disturbed its session, or the store's permission for its lock. Used
 * up space and renewed certificates cost nobody a hold, and a permission that is revoked costs no hold of another lock.
 */
final class HoldsKept implements Check {

    private final Duration ttl;

    /** {@code ttl} is that of the sessions. */
    HoldsKept(Duration ttl) {
        this.ttl = ttl;
    }

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Aftermath faults = new Aftermath(history, ttl);
        history.holdings().stream()
                .filter(holding -> holding.lost() && !explained(faults, holding))
                .forEach(holding -> found.accept(new Violation(
                        Kind.NEEDLESS_LOSS,
                        holding.lock(),
                        Math.max(holding.granted(), holding.validUntil()),
                        holding.sawLost(),
                        holding + " was lost, and no fault may have cost it")));
    }

    private static boolean explained(Aftermath faults, Holding holding) {
        return faults.between(holding.sawLost(), holding.sawLost()).anyMatch(fault -> fault.mayCost(holding.lock()));
    }
}
