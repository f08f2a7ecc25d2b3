package io.baton.examples;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.LockOptions;
import java.time.Duration;

/** A job that runs once an hour, whatever the number of hosts, and a lock that many threads of a process share. */
final class HourlyReport {

    private HourlyReport() {}

    // tag::holdAtLeast[]
    /** Runs the report on one of the hosts, though each of them is told to at about the same time. */
    static boolean runOnOneHost(Coordinator baton, Runnable report) throws InterruptedException {
        LockOptions onceAnHour =
                LockOptions.builder().holdAtLeast(Duration.ofMinutes(50)).build();
        // False on the other hosts: one of them runs it, or was done with it within the last 50 minutes.
        return baton.lock("hourly-report", onceAnHour).runIfAcquired(Duration.ZERO, hold -> report.run());
    }
    // end::holdAtLeast[]

    // tag::cohort[]
    /** The lock of a busy process: its threads hand it to one another, and it keeps its place for its next request. */
    static DistributedLock ofABusyProcess(Coordinator baton) {
        return baton.lock(
                "stock",
                LockOptions.builder()
                        .cohort(100, Duration.ofMillis(200)) // as long as others wait, then it is their turn
                        .linger(Duration.ofSeconds(2)) // unless others wait
                        .build());
    }
    // end::cohort[]
}
