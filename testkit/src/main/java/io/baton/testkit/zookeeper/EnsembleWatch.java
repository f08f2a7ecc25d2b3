package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Loopback;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Queries the state of an ensemble's servers, and waits for them. It skips servers that do not run or are frozen. */
final class EnsembleWatch {

    /** A condition to wait for. */
    interface Check {
        boolean holds();
    }

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 20;
    private static final int PROBE_MILLIS = 3_000;

    private final Collection<EnsembleServer> servers;

    EnsembleWatch(Collection<EnsembleServer> servers) {
        this.servers = servers;
    }

    /** The status of each server that serves. */
    Map<Integer, ServerStatus> statuses() {
        Map<Integer, ServerStatus> statuses = new TreeMap<>();
        for (EnsembleServer server : awake()) {
            ServerStatus.ask(server.clientPort()).ifPresent(status -> statuses.put(server.id(), status));
        }
        return statuses;
    }

    /** The server that reports itself as leader. If several do, this is the one with the latest epoch. */
    Optional<Integer> leader() {
        return statuses().entrySet().stream()
                .filter(entry -> entry.getValue().leads())
                .max(Map.Entry.comparingByValue(Comparator.comparingLong(ServerStatus::epoch)))
                .map(Map.Entry::getKey);
    }

    /** Whether one server leads, all others follow, and each of them can open a session. */
    boolean allServe() {
        return agree()
                && awake().stream()
                        .allMatch(server -> SessionProbe.serves(Loopback.at(server.clientPort()), PROBE_MILLIS))
                && agree();
    }

    /**
     * Waits until the condition holds.
     *
     * @throws IllegalStateException if it does not hold within a minute; the message holds the state of the servers
     */
    void await(String what, Check check) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!check.holds()) {
            for (EnsembleServer server : servers) {
                if (server.hasDied()) {
                    throw new IllegalStateException("a server has died by itself:\n" + report());
                }
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("waited a minute for " + what + " in vain:\n" + report());
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private List<EnsembleServer> awake() {
        return servers.stream()
                .filter(server -> server.isAlive() && !server.isFrozen())
                .toList();
    }

    private boolean agree() {
        Collection<ServerStatus> statuses = statuses().values();
        return statuses.size() == awake().size()
                && statuses.stream().filter(ServerStatus::leads).count() == 1
                && statuses.stream().allMatch(status -> status.leads() || status.follows());
    }

    private String report() {
        Map<Integer, ServerStatus> statuses = statuses();
        return servers.stream()
                .map(server -> "server " + server.id() + (server.isAlive() ? "" : " (does not run)") + ": "
                        + Optional.ofNullable(statuses.get(server.id())) + "\n" + server.logTail())
                .collect(Collectors.joining("\n"));
    }
}
