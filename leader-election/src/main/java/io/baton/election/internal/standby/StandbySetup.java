package io.baton.election.internal.standby;

import io.baton.election.Candidate;
import io.baton.election.Fencer;
import io.baton.election.LastResort;
import io.baton.election.StandbyHook;
import io.baton.election.WhenSuspended;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a node.
 *
 * @param health null if it is always healthy
 * @param fencer null if there is none; then {@code unfenced} says why
 */
public record StandbySetup(
        String name,
        String id,
        String address,
        Map<String, String> metadata,
        StandbyHook promote,
        StandbyHook demote,
        StandbyTimings timings,
        @Nullable HealthRules health,
        @Nullable Fencer fencer,
        String unfenced,
        WhenSuspended whenSuspended,
        LastResort lastResort,
        int priority,
        Duration priorityDelay) {

    /** The key of the run in the metadata of its candidacy. */
    public static final String RUN = "standby.run";

    private static final Duration LONGEST_DELAY = Duration.ofDays(1);
    private static final int LONGEST_DELAY_DOUBLINGS = 5;

    /**
     * Returns its candidate for the election, in this run.
     *
     * @param failures how often in a row it has failed; each doubles the priority delay
     * @throws IllegalArgumentException if the configuration is invalid for a candidate
     */
    public Candidate candidate(String run, int failures) {
        Candidate.Builder builder = Candidate.builder(id)
                .address(address)
                .whenSuspended(whenSuspended)
                .stopTimeout(timings.stop())
                .lastResort(lastResort)
                .priority(priority)
                .priorityDelay(failures == 0 ? priorityDelay : lengthened(failures));
        metadata.forEach(builder::metadata);
        return builder.metadata(RUN, run).build();
    }

    private Duration lengthened(int failures) {
        Duration delay = priorityDelay.multipliedBy(1L << Math.min(failures, LONGEST_DELAY_DOUBLINGS));
        return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
    }
}
