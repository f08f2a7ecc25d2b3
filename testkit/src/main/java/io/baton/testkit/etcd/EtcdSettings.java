package io.baton.testkit.etcd;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the servers of one test have in common.
 *
 * @param heartbeat how often a leader tells its followers that it is there
 * @param election for how long a follower hears nothing before it calls for an election
 * @param more further flags
 */
record EtcdSettings(EtcdBinaries binaries, Duration heartbeat, Duration election, List<String> more) {

    /** The flags that do not depend on which member it is. */
    List<String> flags() {
        List<String> flags = new ArrayList<>(List.of(
                "--heartbeat-interval",
                Long.toString(heartbeat.toMillis()),
                "--election-timeout",
                Long.toString(election.toMillis()),
                "--logger",
                "zap",
                "--log-outputs",
                "stderr",
                "--log-level",
                "warn"));
        // A killed process loses nothing that it has written; only a killed host would.
        if (binaries.knows("--unsafe-no-fsync")) {
            flags.add("--unsafe-no-fsync");
        }
        flags.addAll(more);
        return flags;
    }
}
