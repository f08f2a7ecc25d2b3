package io.baton.examples.ledger;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.election.Candidacy;
import io.baton.election.Candidate;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import io.baton.election.Leadership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** One process of the service: stands for election, and is active while it leads. */
final class LedgerNode implements AutoCloseable {

    /** The election whose leader is the active one. */
    static final String ELECTION = "ledger";

    /** An append makes three requests or four; that many have to fit into the time in which a leader has to stop. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(500);

    private final Coordinator baton;
    private final Ledger ledger;
    private final LedgerService service;
    private final LeaderObserver observer;
    private final LedgerHttp http;
    private final Candidacy candidacy;

    /**
     * Starts.
     *
     * @param store of whichever kind
     * @param ttl how long a process that is silent stays the active one
     * @param id another one for each process
     * @param port where to listen; 0 for any
     */
    LedgerNode(String store, Duration ttl, String id, int port) throws IOException, InterruptedException {
        baton = Coordinator.connect(
                store,
                CoordinatorOptions.builder()
                        .ttl(ttl)
                        .requestTimeout(REQUEST_TIMEOUT)
                        .client(id)
                        .build());
        ledger = new Ledger(baton);
        service = new LedgerService(ledger);
        LeaderElection election = LeaderElection.named(baton, ELECTION);
        observer = election.observe();
        http = new LedgerHttp(new InetSocketAddress("localhost", port), service, observer::leader);
        candidacy = election.run(
                Candidate.builder(id).address("localhost:" + http.port()).build(), this::lead);
    }

    private void lead(Leadership leadership) throws InterruptedException {
        service.promote(leadership);
        try {
            leadership.awaitStop();
        } finally {
            service.demote();
        }
    }

    Ledger ledger() {
        return ledger;
    }

    LedgerService service() {
        return service;
    }

    int port() {
        return http.port();
    }

    /** Runs until told to end; the arguments are the store, this process's id and the port where it listens. */
    public static void main(String[] args) throws IOException, InterruptedException {
        var node = new LedgerNode(args[0], Duration.ofSeconds(10), args[1], Integer.parseInt(args[2]));
        Runtime.getRuntime().addShutdownHook(new Thread(node::close));
        System.out.println(args[1] + " listens on port " + node.port());
        Thread.currentThread().join();
    }

    /** Demotes, hands on to the next one, and ends. */
    @Override
    public void close() {
        candidacy.close();
        http.close();
        observer.close();
        baton.close();
    }
}
