package io.baton.chaos.check;

import io.baton.chaos.history.Costs;
import io.baton.chaos.history.FaultKinds;

/**
 * One fault of the nemesis.
 *
 * @param costs which holds it may cost: one of {@link Costs}
 * @param at when it began
 */
record Disturbance(String kind, String target, String costs, long at) {

    /** Whether it lets the wall clock of a client show another time. */
    boolean movesClientClock() {
        return kind.replace('_', ' ').equals(FaultKinds.CLIENT_CLOCK_MOVED);
    }

    boolean mayCost(String lock) {
        return costs.equals(Costs.ANY_HOLD) || costs.equals(Costs.holdsOf(lock));
    }
}
