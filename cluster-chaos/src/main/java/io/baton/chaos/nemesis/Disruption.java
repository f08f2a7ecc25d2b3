package io.baton.chaos.nemesis;

import io.baton.chaos.history.Costs;
import java.time.Duration;
import java.util.List;

/**
 * One disturbance, not yet begun.
 *
 * @param kind what it is, for the summary
 * @param lasts for how long
 * @param costs which holds it may cost: one of {@link Costs}
 * @param strike begins it
 */
record Disruption(String kind, Duration lasts, String costs, Strike strike) {

    /** One that may cost any hold. */
    Disruption(String kind, Duration lasts, Strike strike) {
        this(kind, lasts, Costs.ANY_HOLD, strike);
    }

    /** What begins a fault. Whom it hits is decided then. */
    @FunctionalInterface
    interface Strike {
        Struck run() throws InterruptedException;
    }

    /** What ends it. */
    @FunctionalInterface
    interface Undo {
        void run() throws InterruptedException;
    }

    /**
     * A fault that has begun.
     *
     * @param target whom it hit
     * @param details what is noted of it besides, keys and values in turns
     */
    record Struck(String target, Undo undo, List<Object> details) {

        /** One of which there is no more to note. */
        Struck(String target, Undo undo) {
            this(target, undo, List.of());
        }
    }
}
