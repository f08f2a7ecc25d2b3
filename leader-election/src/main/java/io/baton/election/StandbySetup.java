package io.baton.election;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node as it was configured.
 *
 * @param health null: always healthy
 * @param fencer null: none, and {@code unfenced} says why
 */
record StandbySetup(
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

    /** What the metadata of its candidacy calls the run. */
    static final String RUN = "standby.run";

    /**
     * How it stands in the election, in this run.
     *
     * @throws IllegalArgumentException if it cannot
     */
    Candidate candidate(String run) {
        Candidate.Builder builder = Candidate.builder(id)
                .address(address)
                .whenSuspended(whenSuspended)
                .stopTimeout(timings.stop())
                .lastResort(lastResort)
                .priority(priority)
                .priorityDelay(priorityDelay);
        metadata.forEach(builder::metadata);
        return builder.metadata(RUN, run).build();
    }
}
