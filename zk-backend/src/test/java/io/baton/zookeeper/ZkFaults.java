package io.baton.zookeeper;

import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.lock.LockInvariants;
import io.baton.testkit.sim.lock.LockTruth.Entry;
import io.baton.testkit.sim.lock.SimFaults;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** What can befall a simulated ZooKeeper, its clients' connections, and the line. */
final class ZkFaults {

    private final Simulation sim;
    private final SimZooKeeper zk;
    private final ZkTruth truth;
    private final LockInvariants invariants;
    private final SimFaults mixture;
    private final List<SimZkWire> wires = new ArrayList<>();
    private long deletions;

    ZkFaults(Simulation sim, SimZooKeeper zk, ZkTruth truth, LockInvariants invariants, SimFaults mixture) {
        this.sim = sim;
        this.zk = zk;
        this.truth = truth;
        this.invariants = invariants;
        this.mixture = mixture;
        mixture.always(() -> network(SimZkConnection::tear));
        mixture.sometimes(() -> network(SimZkConnection::fallSilent));
        mixture.sometimes(this::delay);
        mixture.sometimes(this::outage);
        mixture.sometimes(() -> mixture.any(zk.servers()).giveUpClients());
        mixture.sometimes(this::cutOff);
        mixture.sometimes(() -> zk.slowDown(mixture.upTo(400)));
        mixture.sometimes(this::delete);
    }

    void add(SimZkWire wire) {
        wires.add(wire);
    }

    void addTo(Map<String, Long> totals) {
        totals.merge("entries deleted by hand", deletions, Long::sum);
    }

    private void delay() {
        Duration time = mixture.upTo(mixture.onceIn(2) ? 100 : 2_500);
        network(connection -> connection.delay(time));
    }

    private void network(Consumer<SimZkConnection> fault) {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection != null && mixture.onceIn(2)) {
            connection.onNextWrite(fault);
        } else if (connection != null) {
            fault.accept(connection);
        }
    }

    private List<SimZkConnection> connections() {
        return wires.stream()
                .map(SimZkWire::connection)
                .filter(Objects::nonNull)
                .toList();
    }

    private void outage() {
        SimProcess process = mixture.process();
        Duration time = mixture.upTo(6_000);
        zk.isolate(process, time);
        for (SimZkWire wire : wires) {
            if (wire.process() == process && wire.connection() != null) {
                wire.connection().stall(sim.now() + time.toNanos());
            }
        }
    }

    private void cutOff() {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection != null) {
            SimZkServer server = connection.server();
            if (!server.leads() && !server.cutOff()) {
                server.cutOff(mixture.upTo(zk.patience().toMillis() * 5 / 4));
            }
        }
    }

    private void delete() {
        Entry entry = mixture.anyOrNull(truth.line());
        if (entry != null) {
            deletions++;
            invariants.deletedByHand(entry.token());
            zk.deleteByHand(truth.path(entry.name()));
        }
    }
}
