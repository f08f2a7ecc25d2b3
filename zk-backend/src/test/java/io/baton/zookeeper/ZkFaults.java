package io.baton.zookeeper;

import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.SimZkRefusals.Right;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What can befall a simulated ZooKeeper, its clients' connections, and the line. */
final class ZkFaults {

    private static final byte[] REVOKE = "__REVOKE__".getBytes(StandardCharsets.UTF_8);

    private final Simulation sim;
    private final SimZooKeeper zk;
    private final ZkTruth truth;
    private final List<ZkTruth> deletedIn = new ArrayList<>();
    private final Interventions invariants;
    private final SimFaults mixture;
    private final List<SimZkWire> wires = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<Right> rights = new ArrayList<>(List.of(Right.CREATE, Right.DELETE));

    /** With {@code forgetful} servers watches are lost, too. */
    ZkFaults(
            Simulation sim,
            SimZooKeeper zk,
            ZkTruth truth,
            Interventions invariants,
            SimFaults mixture,
            boolean forgetful) {
        this.sim = sim;
        this.zk = zk;
        this.truth = truth;
        this.invariants = invariants;
        this.mixture = mixture;
        lines.add(truth.path());
        deletedIn.add(truth);
        mixture.always(() -> network(SimZkConnection::tear));
        mixture.sometimes(() -> network(SimZkConnection::fallSilent));
        mixture.sometimes(this::delay);
        mixture.sometimes(() -> outage(mixture.process(), mixture.upTo(6_000)));
        mixture.sometimes(this::dropClients);
        mixture.sometimes(() -> server(server -> server.cutOff(mixture.upTo(patience() * 5 / 4))));
        mixture.sometimes(() -> server(server -> server.freeze(mixture.upTo(patience() * 5 / 4))));
        mixture.sometimes(() -> server(this::kill));
        mixture.sometimes(() -> server(this::stall));
        mixture.sometimes(this::lag);
        mixture.sometimes(() -> server(server -> leader()));
        mixture.sometimes(() -> zk.slowDown(mixture.upTo(400)));
        mixture.sometimes(() -> network(this::tearWhileUndecided));
        mixture.sometimesAlone(this::lateAnswers);
        mixture.sometimesAlone(this::leaveTouchesBehind);
        mixture.sometimes(this::delete);
        mixture.sometimes(this::endSession);
        if (mixture.onceIn(3)) {
            refusals();
        }
        mixture.alone(this::exhaustedAtElection);
        mixture.alone(this::forbidAndCut);
        mixture.alone(this::throttle);
        mixture.onStop(zk.refusals()::end);
        if (forgetful) {
            rights.addAll(List.of(Right.READ, Right.READ)); // nobody is told what happens to what he may not read
            zk.refusals().throttleWatchesToo();
            mixture.sometimes(this::forgetAWatch);
        }
    }

    /** Not in every run, as a client that is refused is seldom in other trouble. */
    private void refusals() {
        mixture.always(this::forbid);
        mixture.sometimes(() -> zk.refusals().exhaust(briefly(2_000, 15_000)));
        mixture.always(this::throttle);
    }

    private void forbid() {
        zk.refusals().forbid(mixture.any(lines), mixture.any(rights), briefly(3_000, 15_000));
    }

    private void throttle() {
        zk.refusals().throttle(mixture.any(zk.servers()), mixture.onceIn(2) ? 1 : 4, briefly(500, 6_000));
    }

    /** What is begun anew after an election is refused. */
    private void exhaustedAtElection() {
        zk.refusals().exhaust(mixture.upTo(20_000));
        leader();
    }

    /** What is found after a break is refused. */
    private void forbidAndCut() {
        forbid();
        if (mixture.onceIn(2)) {
            network(SimZkConnection::tear);
        }
    }

    void add(SimZkWire wire) {
        wires.add(wire);
    }

    /** The present connection of this process, if it has one. */
    @Nullable
    SimZkConnection connectionOf(SimProcess process) {
        return mixture.anyOrNull(connections().stream()
                .filter(connection -> connection.process() == process)
                .toList());
    }

    private long patience() {
        return zk.patience().toMillis();
    }

    /** A server forgets to watch something for one of its clients. */
    void forgetAWatch() {
        network(connection -> {
            if (!connection.forgetAWatch()) {
                mixture.nothing();
            }
        });
    }

    /** Rights in this line are revoked as well. */
    void alsoForbid(String line) {
        lines.add(line);
    }

    /** Entries of this line are deleted by hand as well, and rights in it are revoked. */
    void alsoIn(ZkTruth line) {
        lines.add(line.path());
        deletedIn.add(line);
    }

    /**
     * Somebody writes into entries of the line, as Curator's {@code Revoker} does; whoever watched one does no more. And
     * somebody removes the first ones together.
     */
    void alsoMeddle() {
        mixture.sometimes(this::write);
        mixture.sometimes(this::deleteTheFirst);
    }

    private Duration briefly(long mostly, long most) {
        return mixture.upTo(mixture.onceIn(2) ? mostly : most);
    }

    private void delay() {
        Duration time = mixture.upTo(mixture.onceIn(2) ? 100 : 2_500);
        network(connection -> connection.delay(time));
    }

    private void network(Consumer<SimZkConnection> fault) {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection == null) {
            mixture.nothing();
        } else if (mixture.onceIn(2)) {
            connection.onNextWrite(fault);
        } else {
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
            zk.counts.add("late answers before an outage");
            Duration late = mixture.upTo(1_500);
            connection.holdAnswers(late);
            isolateLater(late.plus(mixture.upTo(1_500)), connection);
        } else {
            mixture.nothing();
        }
    }

    /** A follower loses its leader just after a commit, and does not hand on whom it has heard of; its client loses contact. */
    private void leaveTouchesBehind() {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection != null && !connection.server().leads()) {
            Duration soon = mixture.upTo(30);
            connection.onNextWrite(any -> sim.after(soon, () -> {
                if (!mixture.stopped() && !connection.server().cutOff()) {
                    zk.counts.add("followers cut off just after a commit");
                    connection.server().cutOff(zk.patience());
                    isolateLater(mixture.upTo(100), connection);
                }
            }));
        } else {
            mixture.nothing();
        }
    }

    private void isolateLater(Duration when, SimZkConnection connection) {
        // Longer than many a session lives.
        Duration time = Duration.ofSeconds(3).plus(mixture.upTo(12_000));
        sim.after(when, () -> {
            if (!mixture.stopped()) {
                outage(connection.process(), time);
            }
        });
    }

    private void outage(SimProcess process, Duration time) {
        zk.isolate(process, time);
        for (SimZkWire wire : wires) {
            if (wire.process() == process && wire.connection() != null) {
                wire.connection().stall(sim.now() + time.toNanos());
            }
        }
    }

    private void dropClients() {
        zk.counts.add("servers that drop their clients");
        mixture.any(zk.servers()).dropClients("the server gives up its clients");
    }

    /** Mostly only where all are well, as little can happen at an ensemble that is never up. */
    private void server(Consumer<SimZkServer> fault) {
        boolean well = zk.servers().stream().allMatch(each -> each.inTouch() && each.serves());
        if (well || mixture.onceIn(6)) {
            fault.accept(mixture.any(zk.servers()));
        } else {
            mixture.nothing();
        }
    }

    private void kill(SimZkServer server) {
        if (server.role() == SimZkServer.Role.DOWN) {
            mixture.nothing();
        } else {
            server.crash(mixture.upTo(mixture.onceIn(2) ? 1_000 : 8_000), mixture.onceIn(3));
        }
    }

    private void stall(SimZkServer server) {
        zk.counts.add("disks stalled");
        server.stall(mixture.upTo(mixture.onceIn(2) ? 1_000 : patience() * 3 / 2));
    }

    private void lag() {
        zk.counts.add("servers that lag");
        mixture.any(zk.servers()).lag(mixture.upTo(1_500));
    }

    /**
     * The leader goes away for longer than the others wait for it. Those who talk to it, or those who can reach no other
     * server, may lose all contact meanwhile, or when it has just come back: what it told them last has to be true.
     */
    private void leader() {
        SimZkServer leader = zk.leader();
        Duration ticks = zk.tick().multipliedBy(2);
        Duration time = zk.patience().plus(mixture.upTo(mixture.onceIn(2) ? ticks.toMillis() : patience()));
        zk.counts.add("leaders in trouble");
        if (mixture.onceIn(3)) {
            leader.freeze(time);
        } else if (mixture.onceIn(2)) {
            leader.cutOff(time);
        } else {
            kill(leader);
        }
        boolean only = mixture.onceIn(2);
        boolean later = mixture.onceIn(2);
        for (SimZkWire wire : List.copyOf(wires)) {
            SimZkConnection connection = wire.connection();
            if (connection == null || wire.process().dead() || mixture.onceIn(2)) {
                continue;
            }
            Duration back = time.plus(mixture.upTo(zk.tick().toMillis()));
            Duration when = later ? back : mixture.upTo(time.toMillis());
            if (only) {
                zk.confine(wire.process(), leader, time.plus(ticks));
            }
            if (only && mixture.onceIn(2)) {
                unlessStopped(time.minus(mixture.upTo(ticks.toMillis())), connection::tear);
            }
            if (only || connection.server() == leader) {
                Duration outage = mixture.upTo(15_000);
                unlessStopped(when, () -> outage(wire.process(), outage));
            }
        }
    }

    /** An operator ends a session. */
    private void endSession() {
        SimZkConnection connection = mixture.anyOrNull(connections());
        if (connection == null || !zk.alive(connection.session())) {
            mixture.nothing();
            return;
        }
        invariants.endingByHand(connection.session());
        zk.endByHand(connection.session(), () -> {
            zk.counts.add("sessions ended by hand");
            invariants.endedByHand(connection.session());
        });
    }

    private void unlessStopped(Duration after, Runnable fault) {
        sim.after(after, () -> {
            if (!mixture.stopped()) {
                fault.run();
            }
        });
    }

    private void write() {
        Entry entry = mixture.anyOrNull(truth.line());
        if (entry == null) {
            mixture.nothing();
            return;
        }
        zk.writeByHand(truth.path(entry.name()), REVOKE, () -> zk.counts.add("entries written by hand"));
    }

    /** The first two or three in one transaction, the last of them first, as a hand-over removes them. */
    private void deleteTheFirst() {
        List<Entry> line = truth.line();
        List<Entry> first = new ArrayList<>(line.subList(0, Math.min(line.size(), mixture.onceIn(2) ? 2 : 3)));
        if (first.size() < 2) {
            mixture.nothing();
            return;
        }
        Collections.reverse(first);
        List<String> paths =
                first.stream().map(entry -> truth.path(entry.name())).toList();
        zk.deleteByHand(paths, () -> {
            zk.counts.add("first entries deleted by hand together");
            first.forEach(entry -> invariants.deletedByHand(entry.token()));
        });
    }

    private void delete() {
        ZkTruth truth = deletedIn.size() == 1 ? deletedIn.get(0) : mixture.any(deletedIn);
        Entry entry = mixture.anyOrNull(truth.line());
        if (entry == null) {
            mixture.nothing();
            return;
        }
        zk.deleteByHand(truth.path(entry.name()), () -> {
            if (truth.stands(entry)) {
                zk.counts.add("entries deleted by hand");
                invariants.deletedByHand(entry.token());
            }
        });
    }
}
