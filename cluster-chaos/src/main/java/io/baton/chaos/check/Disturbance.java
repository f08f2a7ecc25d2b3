package io.baton.chaos.check;

import io.baton.chaos.history.Costs;

/**
 * One fault of the nemesis.
 *
 * @param costs which holds it may cost: one of {@link Costs}
 * @param at when it began
 */
record Disturbance(String kind, String target, String costs, long at) {

    boolean mayCost(String lock) {
        return costs.equals(Costs.ANY_HOLD) || costs.equals(Costs.holdsOf(lock));
    }
}
