package io.baton.examples;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LastResort;
import io.baton.election.LeaderElection;
import io.baton.election.Leadership;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A job that one of several hosts runs again and again: the one that leads. */
final class ScheduledReport {

    private ScheduledReport() {}

    // tag::schedule[]
    /** Runs the report with this period while this host leads; another one goes on if it stops or dies. */
    static Candidacy schedule(Coordinator baton, String host, Duration period, Consumer<Leadership> report) {
        Candidate me = Candidate.builder(host)
                .stopTimeout(Duration.ofSeconds(4))
                .lastResort(LastResort.halt(70)) // ends this process if a run does not end
                .build();
        return LeaderElection.named(baton, "reports").run(me, leadership -> {
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
            try {
                timer.scheduleAtFixedRate(() -> run(report, leadership), 0, period.toMillis(), TimeUnit.MILLISECONDS);
                leadership.awaitStop(); // do not return while you want to lead: that gives the leadership up
            } finally {
                timer.shutdownNow(); // interrupts a run, which has the stopTimeout to end
                while (!timer.awaitTermination(1, TimeUnit.SECONDS)) { // the next host begins when this returns
                    System.err.println("the report has not ended yet");
                }
            }
        });
    }

    /** A run that throws would end the timer, and this host would lead without doing anything. */
    private static void run(Consumer<Leadership> report, Leadership leadership) {
        try {
            report.accept(leadership);
        } catch (Throwable failed) {
            System.err.println("this report failed; the next one is due in time: " + failed);
        }
    }
    // end::schedule[]
}
