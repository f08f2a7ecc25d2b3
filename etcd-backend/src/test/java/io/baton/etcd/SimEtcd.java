package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.SimStore.Outcome;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimPipe;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A model of an etcd cluster of three: raft as what it promises, members as they are.
 *
 * <p>There is one log, to which only the leader of the newest term adds, while it has a quorum. Who has been replaced as
 * leader learns of it late: until then it takes proposals that come to nothing, and renews leases. A leader that is out
 * of touch for an election timeout, or up to two, is replaced if the two others can talk.
 */
final class SimEtcd {

    private static final long MILLI = 1_000_000;
    private static final int MEMBERS = 3;

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    private final SimRefusals refusals;
    private final SplittableRandom chance;
    private final long electionTimeout;
    private final boolean unchecked;
    private final List<SimMember> members = new ArrayList<>();
    private final Map<SimProcess, Long> unreachable = new HashMap<>();
    private final Map<SimProcess, Long> disturbances = new HashMap<>();
    private final List<Course> courses = new ArrayList<>(List.of(new Course(1, new SimStore())));
    private SimStore head = courses.get(0).store();
    private final TreeMap<Long, List<Event>> history = new TreeMap<>();
    private LongConsumer endedByMistake = lease -> {};
    private @Nullable String keysOnly;
    private int most;
    private SimPipe quorum;
    private int committed;
    private int leader;
    private long term;
    private long leaderSeen;
    private long patience;

    /** What a cluster has come to since it was made, or restored; as a backup, what it had come to then. */
    record Course(long cluster, SimStore store) {}

    /**
     * A cluster that has a leader.
     *
     * @param unchecked as before 3.4.31 and 3.5.13: whoever takes itself for the leader renews and ends leases without
     *     asking the others; and, as before 3.4.34 and 3.5.16, who compacts forgets the deletions at that very revision
     */
    SimEtcd(Simulation sim, Duration electionTimeout, boolean unchecked, int driftPpm) {
        this.sim = sim;
        this.refusals = new SimRefusals(sim, counts);
        this.chance = sim.chance();
        this.electionTimeout = electionTimeout.toNanos();
        this.unchecked = unchecked;
        for (int i = 0; i < MEMBERS; i++) {
            members.add(new SimMember(this, i, driftPpm));
        }
        quorum = pipe();
        elect(members.get(chance.nextInt(MEMBERS)));
        heartbeat();
    }

    long electionTimeout() {
        return electionTimeout;
    }

    boolean unchecked() {
        return unchecked;
    }

    /** Whether, of the compacted revision itself, only what was written is remembered. */
    boolean forgetful() {
        return unchecked;
    }

    /** As the server's own minimum: one and a half election timeouts, in whole seconds. */
    Duration leastTtl() {
        return Timing.wholeSeconds(Duration.ofNanos(electionTimeout * 3 / 2));
    }

    List<SimMember> members() {
        return members;
    }

    SimMember leader() {
        return members.get(leader);
    }

    /** What it refuses at present. */
    SimRefusals refusals() {
        return refusals;
    }

    /** What has been committed; ahead of what any client can have been told. */
    SimStore decided() {
        return head;
    }

    /** Told of a lease that is about to be ended though its client has kept it alive. */
    void onEndedByMistake(LongConsumer told) {
        endedByMistake = told;
    }

    /** Nobody may watch all that begins so, only single keys of it: so a long line is for its clients, without being long. */
    void permitSingleKeysOnly(String prefix) {
        keysOnly = prefix;
    }

    /** No answer has more keys with their values, as behind a proxy that passes on no large ones. */
    void answersAtMost(int keys) {
        most = keys;
    }

    /** What was decided before each restored backup, and since the last one. */
    List<Course> courses() {
        return courses;
    }

    // ---- the members' affairs

    /** Whether nobody would get this answer. */
    boolean tooLarge(Txn txn, Outcome outcome) {
        boolean values = txn.then().stream().anyMatch(each -> each instanceof Range range && range.values());
        return most > 0
                && values
                && outcome.parts().stream().anyMatch(part -> part.kvs().size() > most);
    }

    long cluster() {
        return courses.get(courses.size() - 1).cluster();
    }

    boolean permits(Range watched) {
        return !(watched.prefix() && watched.key().equals(keysOnly)) && refusals.permits(watched);
    }

    int committed() {
        return committed;
    }

    /** Whether this one is the leader of the newest term, and that is this. */
    boolean leads(SimMember member, long reign) {
        return member.number() == leader && member.leads() && reign == term && member.term() == term;
    }

    /** Whether this one can talk to another. */
    boolean quorum(SimMember member) {
        int inTouch = 0;
        for (SimMember each : members) {
            inTouch += each.inTouch() ? 1 : 0;
        }
        return member.inTouch() && inTouch > 1;
    }

    /** From member to member; lost if they cannot talk. */
    void hop(SimMember from, SimMember to, Runnable atTheOther) {
        if (from == to) {
            atTheOther.run();
        } else if (!from.cutOff() && !to.cutOff()) {
            sim.at(sim.now() + latency(), () -> {
                if (!from.cutOff() && !to.cutOff()) {
                    atTheOther.run();
                }
            });
        }
    }

    /** The leader has been asked for something. */
    void propose(SimMember by, SimMember origin, Command command, boolean expiry, @Nullable Consumer<Outcome> done) {
        long reign = by.term();
        if (leads(by, reign)) {
            quorum.send(() -> commit(by, reign, origin, command, expiry, done));
        } else {
            counts.add("lost proposals");
        }
    }

    /** What happened in each of these revisions. */
    List<List<Event>> history(long from, long to) {
        return List.copyOf(history.subMap(from, true, to, true).values());
    }

    private void commit(
            SimMember by,
            long reign,
            SimMember origin,
            Command command,
            boolean expiry,
            @Nullable Consumer<Outcome> done) {
        if (!leads(by, reign)) {
            counts.add("lost proposals");
        } else if (!quorum(by)) {
            sim.at(sim.now() + 20 * MILLI, () -> commit(by, reign, origin, command, expiry, done));
        } else {
            if (command instanceof Command.Revoke revoke && expiry) {
                judge(by, revoke.lease());
            }
            decide(origin, expiry ? command : refusals.applied(command, head), done);
        }
    }

    private void judge(SimMember by, long lease) {
        if (head.leases().containsKey(lease)) {
            boolean right = by.lessor().primary() && !by.lessor().lives(lease);
            boolean bare = head.keysOf(lease).isEmpty();
            counts.add(
                    right ? "expiries" : "leases ended by a deposed leader" + (bare ? ", with nothing on them" : ""));
            if (!right) {
                endedByMistake.accept(lease);
            }
        }
    }

    private Outcome decide(@Nullable SimMember origin, Command command, @Nullable Consumer<Outcome> done) {
        Outcome outcome = head.apply(command);
        if (!outcome.events().isEmpty()) {
            history.put(outcome.revision(), outcome.events());
        }
        int index = ++committed;
        int course = courses.size();
        for (SimMember member : members) {
            member.hear(index, term, () -> course == courses.size(), command, member == origin ? done : null);
        }
        return outcome;
    }

    /** Saves what there is now. */
    Course backUp() {
        return new Course(cluster(), head.copy());
    }

    /** All members are stopped, and started again with this backup; they make another cluster, or one of the same id. */
    void restore(Course backup, Duration down, boolean another) {
        note("a backup of revision " + backup.store().revision() + " is restored");
        head = backup.store().copy();
        courses.add(new Course(backup.cluster() + (another ? courses.size() : 0), head));
        history.tailMap(head.revision(), false).clear();
        quorum = pipe();
        committed++;
        members.forEach(member -> member.restore(head.copy(), committed, down));
    }

    // ---- elections

    private void heartbeat() {
        SimMember now = leader();
        if (leads(now, term) && quorum(now)) {
            leaderSeen = sim.now();
            for (SimMember member : members) {
                if (member.inTouch() && member.term() > term) {
                    elect(any(inTouch())); // it has asked for votes while it was cut off
                    break;
                }
                long reign = term;
                sim.at(sim.now() + latency(), () -> {
                    if (member.inTouch() && member.term() <= reign && reign == term) {
                        member.hears(reign, leader);
                    }
                });
            }
        } else if (sim.now() - leaderSeen > patience && inTouch().size() > 1) {
            elect(any(inTouch()));
        }
        members.forEach(SimMember::tick);
        sim.inBackgroundAt(sim.now() + electionTimeout / 10, this::heartbeat);
    }

    private List<SimMember> inTouch() {
        return members.stream().filter(SimMember::inTouch).toList();
    }

    private void elect(SimMember winner) {
        counts.add("elections");
        term = 1
                + members.stream()
                        .filter(SimMember::inTouch)
                        .mapToLong(SimMember::term)
                        .reduce(term, Math::max);
        leader = winner.number();
        leaderSeen = sim.now();
        patience = electionTimeout + chance.nextLong(electionTimeout);
        quorum = pipe();
        note("member " + leader + " leads in term " + term);
        for (SimMember member : inTouch()) {
            if (member != winner) {
                member.votes(term);
            }
        }
        winner.becomesLeader(term);
    }

    // ---- faults, and what others do

    /** No member can be reached from this process for so long. */
    void isolate(SimProcess process, Duration time) {
        note(process.name() + " is cut off for " + time);
        counts.add("outages");
        unreachable.put(process, sim.now() + time.toNanos());
    }

    long unreachableUntil(SimProcess process) {
        return unreachable.getOrDefault(process, 0L);
    }

    /** Something has befallen this process's contact that leaves no lasting trace. */
    void disturb(SimProcess process) {
        disturbances.merge(process, 1L, Long::sum);
    }

    /**
     * How often that was, or befell the member that serves it or the leader, and how often a leader was elected: another
     * number whenever one of these has changed, or the member.
     */
    long disturbances(SimProcess process, SimMember member) {
        long own = disturbances.getOrDefault(process, 0L) * members.size() + members.indexOf(member);
        long faults = member.faults() + (ready() ? leader().faults() : 0);
        return (own << 40) + (faults << 20) + term;
    }

    /** Whether this member serves as it should, and the cluster decides without delay. */
    boolean serves(SimMember member) {
        return ready()
                && quorum.flows()
                && leader().lessor().primary()
                && leader().well()
                && member.well()
                && member.follows(term, leader);
    }

    /** No quorum answers for so long. */
    void slowDown(Duration time) {
        counts.add("slow quorums");
        quorum.hold(sim.now() + time.toNanos());
    }

    /** Whether there is a leader that has a quorum. */
    boolean ready() {
        return leads(leader(), term) && quorum(leader());
    }

    /** Somebody who has no trouble with the network does this at once, if the cluster is {@link #ready}. */
    Outcome byHand(Command command) {
        return decide(null, command, null);
    }

    private SimPipe pipe() {
        return new SimPipe(sim, () -> chance.nextLong(MILLI / 10, 3 * MILLI));
    }

    private long latency() {
        return chance.nextInt(50) == 0 ? chance.nextLong(40 * MILLI) : chance.nextLong(MILLI / 10, MILLI);
    }

    private <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }

    private void note(String what) {
        sim.note("etcd", what);
    }
}
