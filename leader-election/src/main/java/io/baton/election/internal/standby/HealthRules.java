package io.baton.election.internal.standby;

import io.baton.election.HealthCheck;
import java.time.Duration;

/**
 * The rules for health checks.
 *
 * @param check the user's check
 * @param every the time from one check to the next
 * @param timeout of one check
 * @param failures how many in a row make a healthy node unhealthy
 * @param successes how many in a row make a node healthy
 */
public record HealthRules(HealthCheck check, Duration every, Duration timeout, int failures, int successes) {

    /** Returns the longest time until it is detected that a healthy node is no longer healthy. */
    Duration detection() {
        return timeout.plus(every.plus(timeout).multipliedBy(failures));
    }
}
