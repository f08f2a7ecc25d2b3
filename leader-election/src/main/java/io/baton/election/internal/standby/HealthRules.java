package io.baton.election.internal.standby;

import io.baton.election.HealthCheck;
import java.time.Duration;

/**
 * How health is found out.
 *
 * @param check the user's
 * @param every from one check to the next
 * @param timeout how long one may take
 * @param failures so many in a row make a healthy node unhealthy
 * @param successes so many in a row make a node healthy
 */
public record HealthRules(HealthCheck check, Duration every, Duration timeout, int failures, int successes) {

    /** From the moment in which a healthy node is not fit any more until that is noticed, at worst. */
    Duration detection() {
        return timeout.plus(every.plus(timeout).multipliedBy(failures));
    }
}
