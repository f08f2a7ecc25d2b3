package io.baton.election.internal.standby;

import io.baton.election.StandbyStatus.Health;

/**
 * What the health checks so far amount to: so many in a row are needed for a change, so that a node does not go to and
 * fro.
 *
 * @param health what holds now
 * @param inRow how many of the last ones in a row speak against that
 */
record HealthTally(Health health, int inRow) {

    /** Nothing is known yet. */
    static final HealthTally START = new HealthTally(Health.UNKNOWN, 0);

    /** After another check. */
    HealthTally next(boolean healthy, int failures, int successes) {
        if (health == (healthy ? Health.HEALTHY : Health.UNHEALTHY)) {
            return new HealthTally(health, 0);
        }
        if (!healthy && health == Health.UNKNOWN) {
            return new HealthTally(Health.UNHEALTHY, 0);
        }
        int now = inRow + 1;
        if (now < (healthy ? successes : failures)) {
            return new HealthTally(health, now);
        }
        return new HealthTally(healthy ? Health.HEALTHY : Health.UNHEALTHY, 0);
    }
}
