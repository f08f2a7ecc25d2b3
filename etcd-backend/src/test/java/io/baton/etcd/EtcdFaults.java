package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.LockTruth.Entry;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SimProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** What can befall a simulated cluster, its clients' connections, and the line. */
final class EtcdFaults {

    static final Duration LONGEST_OUTAGE = Duration.ofSeconds(19);

    private final SimEtcd etcd;
    private final List<EtcdTruth> deletedIn = new ArrayList<>();
    private final Interventions invariants;
    private final SimFaults mixture;
    private final List<SimEtcdWire> wires = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    /** With {@code forgetful} servers events are lost, too. */
    EtcdFaults(SimEtcd etcd, EtcdTruth truth, Interventions invariants, SimFaults mixture, boolean forgetful) {
        this.etcd = etcd;
        deletedIn.add(truth);
        this.invariants = invariants;
        this.mixture = mixture;
        lines.add(truth.prefix());
        etcd.onEndedByMistake(lease -> {
            if (holders(lease).anyMatch(invariants::valid)) {
                etcd.counts.add("valid holds ended by a deposed leader");
            }
            leaseEnds(lease);
        });
        mixture.always(() -> network(SimConnection::tear));
        mixture.sometimes(() -> network(SimConnection::fallSilent));
        mixture.sometimes(this::delay);
        mixture.sometimesAlone(this::straggle);
        mixture.sometimes(this::outage);
        mixture.sometimes(() -> member("members restarted", member -> member.restart(mixture.upTo(4_000))));
        mixture.sometimes(() -> member("members that drop their clients", SimMember::dropClients));
        mixture.sometimes(() -> member("members cut off", member -> member.cutOff(mixture.upTo(6_000))));
        mixture.sometimes(() -> member("members frozen", member -> member.freeze(mixture.upTo(6_000))));
        mixture.sometimes(() -> member("disks stalled", member -> member.stall(mixture.upTo(7_000))));
        mixture.sometimes(() -> member("members that lag", member -> member.lag(mixture.upTo(1_500))));
        mixture.sometimes(() -> member("members overloaded", member -> member.overload(briefly(500, 4_000))));
        mixture.sometimesAlone(this::leader);
        mixture.sometimesAlone(this::lateAnswers);
        mixture.sometimesAlone(this::deposed);
        mixture.sometimes(() -> etcd.slowDown(mixture.upTo(400)));
        mixture.sometimesAlone(this::delete);
        mixture.sometimes(this::revoke);
        mixture.sometimes(this::endWatches);
        if (mixture.onceIn(3)) {
            refusals();
        }
        mixture.alone(this::fullAtElection);
        mixture.alone(() -> etcd.refusals().fill(briefly(2_000, 15_000), true));
        mixture.alone(() -> etcd.refusals().forbidReading(mixture.any(lines), mixture.upTo(20_000)));
        mixture.alone(this::limit);
        mixture.onStop(etcd.refusals()::end);
        if (forgetful) {
            mixture.sometimes(this::deaf);
        }
        mixture.sometimes(() -> etcd.byHand(
                new Command.Compact(etcd.decided().revision() - mixture.upTo(20).toMillis())));
    }

    /** Not in every run, as a client that is refused is seldom in other trouble. */
    private void refusals() {
        mixture.always(() -> etcd.refusals().fill(briefly(2_000, 15_000), mixture.onceIn(2)));
        mixture.always(this::forbid);
        mixture.sometimes(this::limit);
    }

    /** A session wants another lease after an election, and gets none. */
    private void fullAtElection() {
        etcd.refusals().fill(mixture.upTo(30_000), mixture.onceIn(2));
        unlessStopped(mixture.upTo(1_000), this::leader);
    }

    private void limit() {
        etcd.refusals().limit(2 + (int) mixture.upTo(5).toMillis(), briefly(1_000, 8_000));
    }

    void add(SimEtcdWire wire) {
        wires.add(wire);
    }

    /** Permissions of these lines' keys are revoked as well. */
    void alsoForbid(String prefix) {
        lines.add(prefix);
    }

    /** Entries of this line are deleted by hand as well, and permissions of its keys are revoked. */
    void alsoIn(EtcdTruth line) {
        lines.add(line.prefix());
        deletedIn.add(line);
    }

    private Duration briefly(long mostly, long most) {
        return mixture.upTo(mixture.onceIn(2) ? mostly : most);
    }

    private void forbid() {
        String line = mixture.any(lines);
        Duration time = briefly(3_000, 15_000);
        boolean both = mixture.onceIn(3);
        boolean reading = mixture.onceIn(2);
        if (both || reading) {
            etcd.refusals().forbidReading(line, time);
        }
        if (both || !reading) {
            etcd.refusals().forbidWriting(line, time);
        }
    }

    private void delay() {
        Duration time = mixture.upTo(mixture.onceIn(2) ? 100 : 2_500);
        network(connection -> connection.delay(time.toNanos()));
    }

    private void straggle() {
        SimConnection connection = mixture.anyOrNull(connections());
        if (connection != null) {
            connection.straggle(mixture.upTo(2_500).toNanos());
        }
    }

    private void network(Consumer<SimConnection> fault) {
        SimConnection connection = mixture.anyOrNull(connections());
        if (connection == null) {
            mixture.nothing();
        } else if (mixture.onceIn(2)) {
            connection.onNextWrite(fault);
        } else {
            fault.accept(connection);
        }
    }

    private List<SimConnection> connections() {
        return wires.stream()
                .map(SimEtcdWire::connection)
                .filter(Objects::nonNull)
                .toList();
    }

    private void outage() {
        isolate(mixture.process(), mixture.upTo(6_000));
    }

    private void isolate(SimProcess process, Duration time) {
        etcd.isolate(process, time);
        for (SimConnection connection : connections()) {
            if (connection.client() == process) {
                connection.stall(etcd.sim.now() + time.toNanos());
            }
        }
    }

    private void member(String what, Consumer<SimMember> fault) {
        etcd.counts.add(what);
        fault.accept(mixture.any(etcd.members()));
    }

    /**
     * The leader stands still for longer than the others wait for it, and those who talk to it lose all contact while it
     * does, or when it has just come back: what it told them last has to be true.
     */
    private void leader() {
        etcd.counts.add("leaders in trouble");
        SimMember leader = etcd.leader();
        Duration time = Duration.ofNanos(etcd.electionTimeout()).plus(mixture.upTo(5_000));
        if (mixture.onceIn(4)) {
            leader.freeze(time);
        } else if (mixture.onceIn(3)) {
            leader.cutOff(time);
        } else {
            leader.stall(time);
        }
        long back = etcd.sim.now() + time.toNanos();
        boolean later = mixture.onceIn(2);
        for (SimConnection connection : connections()) {
            if (connection.member() == leader && !mixture.onceIn(4)) {
                Duration when = mixture.upTo(time.toMillis());
                if (later) {
                    // What it answered before arrives when it is back.
                    unlessStopped(
                            when, () -> connection.hold(back + mixture.upTo(150).toNanos()));
                }
                Duration outage = longOutage();
                unlessStopped(later ? time.plus(mixture.upTo(400)) : when, () -> isolate(connection.client(), outage));
            }
        }
    }

    /**
     * A leader is replaced while its disk stalls. What it goes on telling its clients arrives when it is back, and whoever
     * then turns to its successor loses contact.
     */
    private void deposed() {
        etcd.counts.add("leaders replaced while their disk stalls");
        SimMember leader = etcd.leader();
        Duration time = Duration.ofNanos(2 * etcd.electionTimeout()).plus(mixture.upTo(4_000));
        leader.stall(time);
        long back = etcd.sim.now() + time.toNanos();
        for (SimConnection connection : connections()) {
            if (connection.member() == leader) {
                connection.hold(back + mixture.upTo(50).toNanos());
                Duration outage = longOutage();
                unlessStopped(time, () -> connection.onNextWrite(any -> isolate(connection.client(), outage)));
            }
        }
    }

    /** Answers are late, and then there is no contact: what was told last has to be true. */
    private void lateAnswers() {
        SimConnection connection = mixture.anyOrNull(connections());
        if (connection != null) {
            etcd.counts.add("late answers before an outage");
            Duration late = mixture.upTo(1_500);
            connection.hold(etcd.sim.now() + late.toNanos());
            Duration outage = longOutage();
            unlessStopped(late.plus(mixture.upTo(200)), () -> isolate(connection.client(), outage));
        }
    }

    /** One that many a lease does not outlive. */
    private Duration longOutage() {
        return LONGEST_OUTAGE.minusSeconds(15).plus(mixture.upTo(15_000));
    }

    private void unlessStopped(Duration after, Runnable fault) {
        etcd.sim.after(after, () -> {
            if (!mixture.stopped()) {
                fault.run();
            }
        });
    }

    private void delete() {
        EtcdTruth truth = deletedIn.size() == 1 ? deletedIn.get(0) : mixture.any(deletedIn);
        Entry entry = mixture.anyOrNull(truth.line());
        if (entry != null && etcd.ready()) {
            etcd.counts.add("entries deleted by hand");
            etcd.sim.note("test", "deletes by hand " + entry);
            invariants.deletedByHand(entry.token());
            etcd.byHand(new Command.Apply(new Txn(List.of(), List.of(new Delete(entry.name())), List.of())));
        } else {
            mixture.nothing();
        }
    }

    private void revoke() {
        Long lease = mixture.anyOrNull(List.copyOf(etcd.decided().leases().keySet()));
        if (lease != null && etcd.ready()) {
            etcd.counts.add("leases revoked by an operator");
            etcd.sim.note("test", "revokes by hand " + Long.toHexString(lease));
            leaseEnds(lease);
            etcd.byHand(new Command.Revoke(lease));
        } else {
            mixture.nothing();
        }
    }

    private void leaseEnds(long lease) {
        holders(lease).forEach(invariants::deletedByHand);
        etcd.decided().keysOf(lease).stream()
                .filter(key -> key.contains("/.sessions/"))
                .forEach(this::sessionEnds);
    }

    /** With its own key; while it moves to another lease, its entries may hang on that one. */
    private void sessionEnds(String ownKey) {
        invariants.endingByHand(Long.parseUnsignedLong(ownKey.substring(ownKey.lastIndexOf('/') + 1), 16));
    }

    /** The tokens of all that hangs on this lease, in whatever line. */
    private LongStream holders(long lease) {
        return etcd.decided().keysOf(lease).stream()
                .map(etcd.decided()::find)
                .filter(Objects::nonNull)
                .mapToLong(Kv::created);
    }

    private void endWatches() {
        SimMember member = mixture.any(etcd.members());
        member.endWatches(new Fault(Code.LOST, "the server ended the watch"));
    }

    /** All watches there are, on servers that are forgetful: nobody is told of what comes next. */
    void deafen() {
        etcd.members().forEach(member -> List.copyOf(member.watches()).forEach(SimServerWatch::fallDeaf));
    }

    /** A watch is not told of one revision, but of later ones. */
    void loseOneEvent() {
        SimServerWatch watch = mixture.anyOrNull(mixture.any(etcd.members()).watches());
        if (watch != null) {
            watch.loseNext();
        } else {
            mixture.nothing();
        }
    }

    private void deaf() {
        SimMember member = mixture.any(etcd.members());
        SimServerWatch watch = mixture.anyOrNull(member.watches());
        if (watch != null) {
            watch.fallDeaf();
        } else {
            mixture.nothing();
        }
    }
}
