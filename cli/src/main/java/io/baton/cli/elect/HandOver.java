package io.baton.cli.elect;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.cli.CommandTimeout;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.leader.LeaderLine;
import io.baton.election.HandOverException;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the leader to hand over. */
final class HandOver {

    /** The least time for a request that has to be made, however long connecting took. */
    private static final Duration LEAST = Duration.ofMillis(1);

    /** The least time to read who leads, once the hand-over is done. */
    private static final Duration LAST_LOOK = Duration.ofSeconds(1);

    private HandOver() {}

    /**
     * Waits until this candidate leads, with a pin; returns a line for the user.
     *
     * @param pin the longest time of the pin; null: until its term ends
     * @throws Failure if it does not lead in time; the message says why
     */
    static String ask(String uri, String name, String id, CommandTimeout timeout, @Nullable Duration pin)
            throws InterruptedException {
        CoordinatorOptions options = ReadOnlyConnection.options("baton elect", timeout.all());
        try (Coordinator baton = Coordinator.connect(uri, options)) {
            LeaderElection election = LeaderElection.named(baton, name);
            if (pin == null) {
                election.handOver(id, timeout.left(LEAST));
            } else {
                election.handOver(id, timeout.left(LEAST), pin);
            }
            // Read only now, so it is the leader from the hand-over, or a later one.
            try (LeaderObserver observer = election.observe()) {
                Optional<Leader> leader = observer.awaitLeader(timeout.left(LAST_LOOK));
                return LeaderLine.text(name, leader);
            }
        } catch (HandOverException refused) {
            throw new Failure(Exit.NOT_ACQUIRED, "not handed over to '" + id + "': " + Failure.text(refused));
        }
    }
}
