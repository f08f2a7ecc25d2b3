package io.baton.examples.ledger;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.election.ActiveStandby;
import io.baton.election.LeaderElection;
import io.baton.election.LeaderObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** One process of the service: active, or standing by. */
final class LedgerNode implements AutoCloseable {

    /** The election whose leader is the active one. */
    static final String ELECTION = "ledger";

    private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(300);

    /** For what is under way, which is four requests at most. */
    private static final Duration TO_DEMOTE = REQUEST_TIMEOUT.multipliedBy(4);

    private static final Duration TO_PROMOTE = Duration.ofSeconds(1);
    private static final Duration TO_FENCE = Duration.ofSeconds(10);

    private final LedgerService service;
    private final LeaderObserver observer;
    private final LedgerHttp http;
    private final ActiveStandby standby;

    /**
     * Starts.
     *
     * @param baton made with {@link #options}
     * @param id another one for each process
     * @param port where to listen; 0 for any
     * @param fence a command as {@link FenceCommand} wants it; empty for none
     */
    LedgerNode(Coordinator baton, String id, int port, List<String> fence) throws IOException {
        service = new LedgerService(new Ledger(baton));
        observer = LeaderElection.named(baton, ELECTION).observe();
        http = new LedgerHttp(new InetSocketAddress("localhost", port), service, observer::leader);
        try {
            standby = standby(baton, id, fence).start();
        } catch (IllegalArgumentException cannotWork) {
            http.close();
            observer.close();
            throw cannotWork;
        }
    }

    private ActiveStandby standby(Coordinator baton, String id, List<String> fence) {
        ActiveStandby.Builder node = ActiveStandby.builder(baton, ELECTION, id)
                .address("localhost:" + http.port()) // where clients find the active one
                .onPromote(service::promote, TO_PROMOTE)
                .onDemote(leadership -> service.demote(), TO_DEMOTE)
                .health(http::answers); // who is not healthy is not promoted, and hands over if it is active
        if (fence.isEmpty()) {
            node.withoutFencer("every write carries the guard, so the store refuses those of a former active one");
        } else {
            node.fencer(new FenceCommand(fence), TO_FENCE); // of an active one that has not gone cleanly
        }
        return node.build();
    }

    /** What a node's coordinator is made with. */
    static CoordinatorOptions.Builder options(String id) {
        return CoordinatorOptions.builder().client(id).requestTimeout(REQUEST_TIMEOUT);
    }

    LedgerService service() {
        return service;
    }

    /** Where it listens. */
    int port() {
        return http.port();
    }

    /** Demotes, so that the next one is promoted, and ends. */
    @Override
    public void close() {
        standby.close();
        http.close();
        observer.close();
    }

    /**
     * Runs until told to end (SIGTERM): {@code STORE ID PORT [FENCE-COMMAND...]}, as {@code
     * zk://zk1:2181,zk2:2181/shop node-1 8080}.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> fence = Arrays.asList(args).subList(3, args.length);
        Coordinator baton = Coordinator.connect(args[0], options(args[1]).build());
        var node = new LedgerNode(baton, args[1], Integer.parseInt(args[2]), fence);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            node.close();
            baton.close();
        }));
        System.out.println(node.standby.describe());
        node.standby.onState(state -> System.out.println(args[1] + " is " + state));
        Thread.currentThread().join();
    }
}
