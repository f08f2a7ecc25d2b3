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
    private long sessionsEnded;
    private long lateAnswers;
    private long touchesLeftBehind;

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
        mixture.sometimes(() -> network(this::tearWhileUndecided));
        mixture.sometimesAlone(this::lateAnswers);
        mixture.sometimesAlone(this::leaveTouchesBehind);
        mixture.sometimes(this::delete);
        mixture.sometimes(this::endSession);
    }

    void add(SimZkWire wire) {
        wires.add(wire);
    }

    void addTo(Map<String, Long> totals) {
        totals.merge("entries deleted by hand", deletions, Long::sum);
        totals.merge("sessions ended by hand", sessionsEnded, Long::sum);
        totals.merge("late answers before an outage", lateAnswers, Long::sum);
        totals.merge("followers cut off just after a commit", touchesLeftBehind, Long::sum);
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

    /** Breaks, while what the leader has decided waits for a quorum, for longer than it takes to be in contact again. */
    private void tearWhileUndecided(SimZkConnection connection) {
        zk.slowDown(mixture.upTo(1_500));
        connection.tear();
    }

    /** Answers are late, and then there is no contact: what was told last has to be true. */
    private void lateAnswers() {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection != null) {
            lateAnswers++;
            Duration late = mixture.upTo(1_500);
            connection.holdAnswers(late);
            isolateLater(late.plus(mixture.upTo(1_500)), connection);
        }
    }

    /** A follower loses its leader just after a commit, and does not hand on whom it has heard of; its client loses contact. */
    private void leaveTouchesBehind() {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection != null && !connection.server().leads()) {
            Duration soon = mixture.upTo(30);
            connection.onNextWrite(any -> sim.after(soon, () -> {
                if (!mixture.stopped() && !connection.server().cutOff()) {
                    touchesLeftBehind++;
                    connection.server().cutOff(zk.patience());
                    isolateLater(mixture.upTo(100), connection);
                }
            }));
        }
    }

    private void isolateLater(Duration when, SimZkConnection connection) {
        // Longer than many a session lives.
        Duration time = Duration.ofSeconds(3).plus(mixture.upTo(12_000));
        sim.after(when, () -> {
            if (!mixture.stopped()) {
                isolate(connection.process(), time);
            }
        });
    }

    private void outage() {
        isolate(mixture.process(), mixture.upTo(6_000));
    }

    private void isolate(SimProcess process, Duration time) {
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

    /** An operator ends a session. */
    private void endSession() {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection != null && zk.alive(connection.session())) {
            sessionsEnded++;
            sim.note("test", "ends by hand session " + Long.toHexString(connection.session()));
            invariants.endedByHand(connection.session());
            zk.expireByHand(connection.session());
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
