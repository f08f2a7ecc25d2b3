package io.baton.zookeeper;

import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.SimTree.Znode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Lets a seeded fault happen every now and then, until stopped. */
final class SimFaults {

    private static final long MILLI = 1_000_000;

    private enum Kind {
        TEAR,
        SILENCE,
        DELAY,
        HICCUP,
        FREEZE,
        SUSPEND,
        OUTAGE,
        RESTART,
        CUT_OFF,
        SLOW_QUORUM,
        DELETE
    }

    private final Simulation sim;
    private final SimZooKeeper zk;
    private final SplittableRandom chance;
    private final String line;
    private final LockInvariants invariants;
    private final long mostMillisBetween;
    private final int[] weights;
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<SimZkWire> wires = new ArrayList<>();
    private boolean stopped;
    private long freezes;
    private long suspends;
    private long deletions;

    SimFaults(Simulation sim, SimZooKeeper zk, String line, LockInvariants invariants) {
        this.sim = sim;
        this.zk = zk;
        this.line = line;
        this.invariants = invariants;
        this.chance = sim.chance();
        this.mostMillisBetween = 100L << chance.nextInt(5);
        // Each run has its own mixture: some kinds often, some never.
        this.weights = chance.ints(Kind.values().length, 0, 4).map(n -> n * n).toArray();
        this.weights[Kind.TEAR.ordinal()] += 4;
    }

    void add(SimProcess process) {
        processes.add(process);
    }

    void add(SimZkWire wire) {
        wires.add(wire);
    }

    void start() {
        sim.at(sim.now() + millis(mostMillisBetween), () -> {
            if (!stopped) {
                fault();
                start();
            }
        });
    }

    void stop() {
        stopped = true;
    }

    long freezes() {
        return freezes;
    }

    long suspends() {
        return suspends;
    }

    long deletions() {
        return deletions;
    }

    private void fault() {
        int drawn = chance.nextInt(IntStream.of(weights).sum());
        int which = 0;
        while (drawn >= weights[which]) {
            drawn -= weights[which++];
        }
        switch (Kind.values()[which]) {
            case TEAR -> network(SimZkConnection::tear);
            case SILENCE -> network(SimZkConnection::fallSilent);
            case DELAY -> {
                Duration time = upTo(chance.nextBoolean() ? 100 : 2_500);
                network(connection -> connection.delay(time));
            }
            case HICCUP -> freeze(upTo(400));
            case FREEZE -> freeze(upTo(8_000));
            case SUSPEND -> suspend();
            case OUTAGE -> outage();
            case RESTART -> any(zk.servers()).giveUpClients();
            case CUT_OFF -> cutOff();
            case SLOW_QUORUM -> zk.slowDown(upTo(400));
            case DELETE -> delete();
        }
    }

    private void network(Consumer<SimZkConnection> fault) {
        List<SimZkConnection> connections = connections();
        if (!connections.isEmpty()) {
            SimZkConnection connection = any(connections);
            if (chance.nextBoolean()) {
                connection.onNextWrite(fault);
            } else {
                fault.accept(connection);
            }
        }
    }

    private List<SimZkConnection> connections() {
        var connections = new ArrayList<SimZkConnection>();
        for (SimZkWire wire : wires) {
            if (wire.connection() != null) {
                connections.add(wire.connection());
            }
        }
        return connections;
    }

    private void freeze(Duration time) {
        processes.removeIf(SimProcess::dead);
        SimProcess process = any(processes);
        if (!process.paused()) {
            freezes++;
            process.freeze(time);
        }
    }

    private void suspend() {
        SimProcess process = any(processes);
        if (!process.paused()) {
            suspends++;
            process.suspend(upTo(5_000));
        }
    }

    private void outage() {
        SimProcess process = any(processes);
        Duration time = upTo(6_000);
        zk.isolate(process, time);
        for (SimZkWire wire : wires) {
            if (wire.process() == process && wire.connection() != null) {
                wire.connection().stall(sim.now() + time.toNanos());
            }
        }
    }

    private void cutOff() {
        List<SimZkConnection> connections = connections();
        if (!connections.isEmpty()) {
            SimZkServer server = any(connections).server();
            if (!server.leads() && !server.cutOff()) {
                server.cutOff(upTo(zk.patience().toMillis() * 5 / 4));
            }
        }
    }

    private void delete() {
        Znode node = zk.decided().find(line);
        if (node != null && !node.children().isEmpty()) {
            deletions++;
            String path = line + "/" + any(node.children().stream().sorted().toList());
            invariants.deletedByHand(path);
            zk.deleteByHand(path);
        }
    }

    private <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }

    private Duration upTo(long millis) {
        return Duration.ofNanos(millis(millis));
    }

    private long millis(long most) {
        return chance.nextLong(MILLI, most * MILLI + 1);
    }
}
