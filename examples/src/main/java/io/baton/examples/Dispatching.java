package io.baton.examples;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.Leader;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** One of several processes dispatches the orders; the others stand by, and everybody knows who does. */
public final class Dispatching {

    private Dispatching() {}

    /** Stands for election; the arguments are the store, this process's id and the address where it can be reached. */
    public static void main(String[] args) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(args[0])) {
            BlockingQueue<String> orders = new LinkedBlockingQueue<>(List.of("order 4711", "order 4712"));
            try (Candidacy me = stand(baton, args[1], args[2], orders, new Warehouse())) {
                closeAtShutdown(me, baton);
                System.out.println(me.candidate() + " stands; the leader is " + leader(baton));
                Thread.currentThread().join();
            }
        }
    }

    private static void closeAtShutdown(Candidacy candidacy, Coordinator baton) {
        // tag::shutdown[]
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            candidacy.close(); // stops the work first, for at most its stopTimeout
            baton.close();
        }));
        // end::shutdown[]
    }

    static Candidacy stand(
            Coordinator baton, String id, String address, BlockingQueue<String> orders, Warehouse warehouse) {
        // tag::stand[]
        LeaderElection election = LeaderElection.named(baton, "dispatcher");
        Candidate me = Candidate.builder(id).address(address).build();
        Candidacy candidacy = election.run(
                me,
                leadership -> { // on a thread of its own, whenever this process leads
                    while (leadership.stopReason().isEmpty()) { // interrupted, and told why, when it has to stop
                        warehouse.ship(orders.take(), leadership.term()); // a term is larger than every earlier one
                    }
                });
        // end::stand[]
        return candidacy;
    }

    static String leader(Coordinator baton) throws InterruptedException {
        // tag::observe[]
        try (LeaderObserver observer = LeaderElection.named(baton, "dispatcher").observe()) {
            Leader leader = observer.awaitLeader();
            return leader.id() + " at " + leader.address();
        }
        // end::observe[]
    }
}
