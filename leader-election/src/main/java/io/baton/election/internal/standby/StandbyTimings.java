package io.baton.election.internal.standby;

import io.baton.recipe.Texts;
import java.time.Duration;
import java.util.Optional;

/**
 * The time limits of a node.
 *
 * @param promote budget of the hook that promotes
 * @param demote budget of the hook that demotes
 * @param grace how long a hook may take to return after an interrupt
 * @param fence budget of the fencer; zero if there is none
 * @param fencingAttempts how often fencing may fail in one term, or the store refuse the breadcrumb
 */
public record StandbyTimings(Duration promote, Duration demote, Duration grace, Duration fence, int fencingAttempts) {

    /** How often an active node checks its remaining time. */
    static final Duration LOOK = Duration.ofMillis(100);

    /**
     * Returns the longest time from a reason to stop until no hook is running. It consists of detection, an interrupt,
     * the demotion, and another interrupt.
     */
    public Duration stop() {
        return LOOK.plus(grace).plus(demote).plus(grace);
    }

    /**
     * Returns why, with such a session, an old active node could still run when the next one is promoted. Empty if it
     * could not.
     */
    public Optional<String> problem(Duration ttl, Duration closeTimeout) {
        Duration certain = ttl.dividedBy(2);
        if (stop().compareTo(certain) > 0) {
            return Optional.of(
                    "an old active one could still run when the next one is promoted: to stop it may take " + stopText()
                            + ", but with a ttl of " + Texts.of(ttl) + " a leader is certain of " + Texts.of(certain)
                            + " only. Give onDemote a smaller budget, or the coordinator a ttl of "
                            + stop().multipliedBy(2).toMillis() + " ms or more");
        }
        if (stop().compareTo(closeTimeout.dividedBy(2)) > 0) {
            return Optional.of("an old active one could still run when the next one is promoted: to stop it may take "
                    + stopText()
                    + ", but the coordinator's close waits for half of its close timeout of " + Texts.of(closeTimeout)
                    + " only. Give onDemote a smaller budget, or the coordinator a closeTimeout of "
                    + stop().multipliedBy(2).toMillis() + " ms or more");
        }
        return Optional.empty();
    }

    /** Returns the composition of {@link #stop}. */
    String stopText() {
        return Texts.of(stop()) + " (demotion " + Texts.of(demote) + ", twice " + Texts.of(grace)
                + " for a hook that has to be interrupted, " + Texts.of(LOOK) + " to notice)";
    }
}
