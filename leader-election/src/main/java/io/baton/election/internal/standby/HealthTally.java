package io.baton.election.internal.standby;

import io.baton.election.StandbyStatus.Health;

/**
 * The result of the health checks so far. A change takes several in a row, so that a node does not flap.
 *
 * @param health the present health
 * @param inRow how many of the last checks in a row contradict it
 */
record HealthTally(Health health, int inRow) {

    /** No check has finished yet. */
    static final HealthTally START = new HealthTally(Health.UNKNOWN, 0);

    /** Returns the result after another check. */
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
