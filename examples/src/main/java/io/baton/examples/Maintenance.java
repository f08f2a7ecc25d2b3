package io.baton.examples;

import io.baton.Coordinator;
import io.baton.election.HandOverException;
import io.baton.election.LeaderElection;
import io.baton.election.LeftBreadcrumb;
import io.baton.election.Pause;
import io.baton.election.StandbyAdmin;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyOverview;
import java.time.Duration;

/** What operators do to elections, from a process that takes no part in them. */
final class Maintenance {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Maintenance() {}

    // tag::handover[]
    /** Makes this candidate the leader, before another node is stopped. */
    static String moveLead(Coordinator baton, String candidate) throws InterruptedException {
        try {
            LeaderElection.named(baton, "dispatcher").handOver(candidate, PATIENCE);
            return candidate + " leads, and is pinned until its term ends";
        } catch (HandOverException refused) {
            return "not handed over: " + refused.getMessage();
        }
    }
    // end::handover[]

    // tag::pause[]
    /** Does something during which no other candidate may take over. */
    static void withoutFailover(Coordinator baton, String why, Runnable work) throws InterruptedException {
        LeaderElection election = LeaderElection.named(baton, "dispatcher");
        Pause pause = election.pause("ops@bastion", why, PATIENCE);
        System.out.println(pause); // paused by ops@bastion since 2026-01-02T03:04:05Z: moving racks
        try {
            work.run();
        } finally {
            election.resume(PATIENCE); // until then the pause stays, also if this process ends
        }
    }
    // end::pause[]

    // tag::nodes[]
    /** Prints how the nodes do; after a repair, those that wait try again at once. */
    static void repaired(Coordinator baton) throws InterruptedException {
        StandbyAdmin books = StandbyAdmin.named(baton, "books");
        StandbyOverview overview = books.overview();
        for (StandbyMember node : overview.members()) {
            System.out.println(node.id() + " " + node.state() + " " + node.readiness() + " as of " + node.asOf());
        }
        overview.breadcrumb()
                .map(LeftBreadcrumb::breadcrumb)
                .ifPresent(left -> System.out.println("breadcrumb: " + left));
        books.wake("ops@bastion");
    }
    // end::nodes[]
}
