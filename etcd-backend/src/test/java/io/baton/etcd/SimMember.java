package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.SimStore.Outcome;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Reply;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimPipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One member of the modelled cluster. It applies what has been committed, in order and in its own time; hands writes to
 * whom it takes for the leader; reads once that one has told how far it has to have come; keeps the leases' time if it
 * takes itself for the leader.
 *
 * <p>Its process may be frozen, its disk may stall (then it neither hears of an election nor commits, but goes on answering
 * renewals), and the other members may be out of its reach.
 */
final class SimMember {

    private static final long MILLI = 1_000_000;
    private static final int NOBODY = -1;
    private static final Fault NO_LEADER = new Fault(Code.LOST, "etcdserver: no leader");
    private static final Fault OVERLOADED = new Fault(Code.OVERLOADED, "etcdserver: too many requests");

    private final SimEtcd etcd;
    private final int number;
    private final SplittableRandom chance;
    private final long ratePpm;
    private SimStore store = new SimStore();
    private final SimLessor lessor = new SimLessor(this);
    private final SimPipe commits;
    private final Set<SimConnection> connections = new LinkedHashSet<>();
    private final List<SimServerWatch> watches = new ArrayList<>();
    private final Set<Read> reads = new LinkedHashSet<>();
    private final TreeMap<Integer, List<Runnable>> waiting = new TreeMap<>();
    private int applied;
    private long term;
    private long appliedTerm;
    private boolean leads;
    private int leader = NOBODY;
    private long leaderHeard;
    private long leaderless;
    private long faults;
    private long cutOffUntil;
    private long frozenUntil;
    private long stalledUntil;
    private long stalledSince;
    private long overloadedUntil;

    /** A read that waits to be told how far the member has to have come. */
    private static final class Read {
        final Runnable execute;
        final Runnable failed;
        boolean over;

        Read(Runnable execute, Runnable failed) {
            this.execute = execute;
            this.failed = failed;
        }
    }

    SimMember(SimEtcd etcd, int number, int driftPpm) {
        this.etcd = etcd;
        this.number = number;
        this.chance = etcd.sim.chance();
        this.ratePpm = chance.nextLong(-driftPpm, driftPpm + 1L);
        this.commits = new SimPipe(etcd.sim, this::hop);
        lookAtLeasesLater();
        catchUpWatchesLater();
    }

    int number() {
        return number;
    }

    SimStore store() {
        return store;
    }

    SimLessor lessor() {
        return lessor;
    }

    SimCounts counts() {
        return etcd.counts;
    }

    long term() {
        return term;
    }

    /** Whether it takes itself for the leader. */
    boolean leads() {
        return leads;
    }

    /** Its monotonic clock. */
    long clock() {
        return etcd.sim.now() + etcd.sim.now() / 1_000_000 * ratePpm;
    }

    Header header() {
        return header(store.revision());
    }

    /** The term is that of what was applied last, as a real one's. */
    private Header header(long revision) {
        return new Header(etcd.cluster(), 100 + number, revision, appliedTerm);
    }

    // ---- what clients ask

    void connected(SimConnection connection) {
        connections.add(connection);
    }

    void gone(SimConnection connection) {
        connections.remove(connection);
        watches.removeIf(watch -> watch.connection() == connection);
    }

    List<SimServerWatch> watches() {
        return watches;
    }

    void txn(Txn txn, boolean writes, Reply<Result> reply) {
        Fault impossible = SimRequests.judge(txn);
        if (leader == NOBODY) {
            reply.accept(NO_LEADER, null);
        } else if (!impossible.ok()) {
            counts().add("requests refused");
            reply.accept(impossible, null);
        } else if (!etcd.refusals().judge(txn).ok()) {
            reply.accept(SimRefusals.TOO_MANY, null);
        } else if (writes && overloaded()) {
            reply.accept(OVERLOADED, null);
        } else if (writes) {
            propose(new Command.Apply(txn), outcome -> answer(outcome, reply));
        } else {
            read(
                    () -> {
                        Fault denied = etcd.refusals().reading(txn);
                        if (denied.ok()) {
                            answer(txn, store.read(txn), reply);
                        } else {
                            reply.accept(denied, null);
                        }
                    },
                    () -> reply.accept(new Fault(Code.LOST, "etcdserver: leader changed"), null));
        }
    }

    private void answer(Txn txn, Outcome outcome, Reply<Result> reply) {
        for (Request request : txn.then()) {
            if (request instanceof Range page && page.revision() > 0) {
                counts().add("later pages of a tree");
                counts().add("writes between pages", page.revision() < store.revision() ? 1 : 0);
                counts().add("pages of a revision compacted", outcome.fault().ok() ? 0 : 1);
            }
        }
        if (etcd.tooLarge(txn, outcome)) {
            counts().add("answers too large");
            reply.accept(new Fault(Code.TOO_LARGE, "grpc: received message larger than max"), null);
        } else {
            answer(outcome, reply);
        }
    }

    private void answer(Outcome outcome, Reply<Result> reply) {
        boolean ok = outcome.fault().ok();
        reply.accept(
                outcome.fault(), ok ? new Result(header(outcome.revision()), outcome.met(), outcome.parts()) : null);
    }

    void grant(Duration ttl, Reply<Lease> reply) {
        if (leader == NOBODY) {
            reply.accept(NO_LEADER, null);
            return;
        }
        if (overloaded()) {
            reply.accept(OVERLOADED, null);
            return;
        }
        long id = chance.nextLong(1, 1L << 62);
        Duration granted = ttl.compareTo(etcd.leastTtl()) < 0 ? etcd.leastTtl() : ttl;
        propose(new Command.Grant(id, granted), outcome -> {
            boolean ok = outcome.fault().ok();
            reply.accept(outcome.fault(), ok ? new Lease(header(), id, granted) : null);
        });
    }

    /** Whether so much is waiting to be applied here that nothing more is taken. */
    private boolean overloaded() {
        boolean overloaded = etcd.sim.now() < overloadedUntil;
        counts().add("overloads", overloaded ? 1 : 0);
        return overloaded;
    }

    void revoke(long lease, Reply<Header> reply) {
        if (leader == NOBODY) {
            reply.accept(NO_LEADER, null);
            return;
        }
        if (overloaded()) {
            reply.accept(OVERLOADED, null);
            return;
        }
        propose(
                new Command.Revoke(lease),
                outcome -> reply.accept(outcome.fault(), outcome.fault().ok() ? header(outcome.revision()) : null));
    }

    /** The header is from before the renewal, as the real one. */
    void keepAlive(long lease, Reply<Lease> reply) {
        Header before = header();
        etcd.sim.at(
                etcd.sim.now() + chance.nextLong(MILLI),
                () -> whenUp(() -> renew(lease, 20, (fault, lives) -> {
                    if (!fault.ok()) {
                        reply.accept(fault, null);
                    } else {
                        Duration ttl = store.leases().getOrDefault(lease, Duration.ofSeconds(2));
                        reply.accept(Fault.NONE, new Lease(before, lease, lives ? ttl : Duration.ZERO));
                    }
                })));
    }

    private interface Renewed {
        void tell(Fault fault, boolean lives);
    }

    private void renew(long lease, int attempts, Renewed done) {
        if (leads
                && !etcd.unchecked()
                && stalled()
                && etcd.sim.now() - stalledSince > etcd.electionTimeout() * 3 / 10) {
            etcd.sim.at(stalledUntil + hop(), () -> whenUp(() -> renew(lease, attempts, done)));
        } else if (leads && lessor.primary()) {
            renewHere(lease, lives -> done.tell(Fault.NONE, lives), () -> renew(lease, attempts - 1, done));
        } else if (attempts <= 0) {
            done.tell(new Fault(Code.LOST, "etcdserver: request timed out"), false);
        } else if (leader == NOBODY || leader == number) {
            renewLater(lease, attempts, done);
        } else {
            SimMember other = etcd.members().get(leader);
            boolean[] over = {false};
            counts().add("renewals handed on");
            etcd.hop(
                    this,
                    other,
                    () -> other.whenUp(() -> other.whenApplied(() -> {
                        if (other.lessor.primary()) {
                            other.renewHere(
                                    lease,
                                    lives -> etcd.hop(
                                            other,
                                            this,
                                            () -> whenUp(() -> {
                                                if (!over[0]) {
                                                    over[0] = true;
                                                    done.tell(Fault.NONE, lives);
                                                }
                                            })),
                                    () -> {});
                        }
                    })));
            etcd.sim.at(etcd.sim.now() + 300 * MILLI, () -> {
                if (!over[0]) {
                    over[0] = true;
                    renewLater(lease, attempts, done);
                }
            });
        }
    }

    private void renewLater(long lease, int attempts, Renewed done) {
        etcd.sim.at(etcd.sim.now() + 50 * MILLI, () -> whenUp(() -> renew(lease, attempts - 1, done)));
    }

    /** At a member that takes itself for the leader, without asking the others. */
    private void renewHere(long lease, Consumer<Boolean> done, Runnable demoted) {
        if (!store.leases().containsKey(lease)) {
            done.accept(false);
            return;
        }
        Runnable settled = () -> {
            if (lessor.primary()) {
                renewHere(lease, done, demoted);
            } else {
                demoted.run();
            }
        };
        if (lessor.renew(lease, settled)) {
            if (!etcd.leads(this, term)) {
                counts().add("renewals by a deposed leader");
            }
            done.accept(true);
        }
    }

    SimServerWatch watch(SimConnection connection, Range range, long from, EtcdWire.Watcher to) {
        var watch = new SimServerWatch(connection, range, from, to);
        if (leader == NOBODY) {
            watch.end(NO_LEADER);
        } else if (!etcd.permits(range)) {
            counts().add("watches refused");
            watch.end(SimRefusals.DENIED);
        } else {
            watches.add(watch);
            watch.created(this);
        }
        return watch;
    }

    // ---- raft

    private void propose(Command command, Consumer<Outcome> done) {
        raft(() -> hand(command, false, this, 3, done));
    }

    /** To whom this member takes for the leader. */
    private void hand(Command command, boolean expiry, SimMember origin, int hops, @Nullable Consumer<Outcome> done) {
        if (leads) {
            etcd.propose(this, origin, command, expiry, done);
        } else if (leader != NOBODY && leader != number && hops > 0) {
            SimMember to = etcd.members().get(leader);
            etcd.hop(this, to, () -> to.raft(() -> to.hand(command, expiry, origin, hops - 1, done)));
        } else {
            counts().add("lost proposals");
        }
    }

    private void read(Runnable execute, Runnable failed) {
        var read = new Read(execute, failed);
        reads.add(read);
        askHowFar(read, 8);
    }

    private void askHowFar(Read read, int attempts) {
        if (read.over || attempts == 0) {
            reads.remove(read);
            return;
        }
        raft(() -> {
            if (leader != NOBODY) {
                SimMember to = etcd.members().get(leader);
                etcd.hop(
                        this,
                        to,
                        () -> to.raft(() ->
                                to.confirm(index -> etcd.hop(to, this, () -> raft(() -> confirmed(read, index))))));
            }
        });
        etcd.sim.at(etcd.sim.now() + 500 * MILLI, () -> askHowFar(read, attempts - 1));
    }

    /** How much has been committed; told only if a quorum confirms, after the question, that this one leads. */
    private void confirm(IntConsumer then) {
        long reign = term;
        int index = etcd.committed();
        if (!etcd.leads(this, reign)) {
            counts().add("reads not confirmed");
            return;
        }
        etcd.sim.at(etcd.sim.now() + hop(), () -> {
            if (etcd.leads(this, reign) && etcd.quorum(this)) {
                etcd.sim.at(etcd.sim.now() + hop(), () -> then.accept(index));
            } else {
                counts().add("reads not confirmed");
            }
        });
    }

    private void confirmed(Read read, int index) {
        if (!read.over) {
            read.over = true;
            reads.remove(read);
            whenApplied(index, read.execute);
        }
    }

    /** Runs once this member has applied all that it knows to be committed. */
    private void whenApplied(Runnable task) {
        whenApplied(etcd.leads(this, term) ? etcd.committed() : applied, task);
    }

    private void whenApplied(int index, Runnable task) {
        if (applied >= index) {
            task.run();
        } else {
            waiting.computeIfAbsent(index, any -> new ArrayList<>()).add(task);
        }
    }

    /** Runs when the disk lets it. */
    private void raft(Runnable task) {
        long until = Math.max(frozenUntil, stalledUntil);
        if (etcd.sim.now() < until) {
            etcd.sim.at(until + chance.nextLong(20 * MILLI), () -> raft(task));
        } else {
            task.run();
        }
    }

    /** Runs when the process does. */
    void whenUp(Runnable task) {
        if (etcd.sim.now() < frozenUntil) {
            etcd.sim.at(frozenUntil + chance.nextLong(20 * MILLI), () -> whenUp(task));
        } else {
            task.run();
        }
    }

    /** Unless, by then, {@code holds} says no more that it does. */
    void hear(int index, long of, BooleanSupplier holds, Command command, @Nullable Consumer<Outcome> done) {
        commits.send(() -> {
            if (!holds.getAsBoolean()) {
                return;
            }
            applied = index;
            appliedTerm = of;
            Outcome outcome = store.apply(command);
            if (command instanceof Command.Grant grant) {
                lessor.granted(grant.lease(), grant.ttl().toNanos());
            } else if (command instanceof Command.Revoke revoke) {
                lessor.revoked(revoke.lease());
            }
            for (SimServerWatch watch : List.copyOf(watches)) {
                if (watch.next() > store.revision() - 1) {
                    watch.happened(this, outcome.events());
                }
            }
            if (done != null) {
                done.accept(outcome);
            }
            while (!waiting.isEmpty() && waiting.firstKey() <= applied) {
                waiting.pollFirstEntry().getValue().forEach(Runnable::run);
            }
        });
    }

    // ---- elections

    /** Neither frozen nor stalled nor cut off. */
    boolean inTouch() {
        return etcd.sim.now() >= Math.max(cutOffUntil, Math.max(frozenUntil, stalledUntil));
    }

    /** In touch, and neither overloaded nor behind. */
    boolean well() {
        return inTouch() && etcd.sim.now() >= overloadedUntil && commits.flows();
    }

    /** Whether it takes this one for the leader, in this term. */
    boolean follows(long of, int who) {
        return term == of && leader == who;
    }

    /** How often something has befallen it; a short fault may be over when somebody looks. */
    long faults() {
        return faults;
    }

    boolean cutOff() {
        return etcd.sim.now() < cutOffUntil;
    }

    private boolean stalled() {
        return etcd.sim.now() < stalledUntil;
    }

    void becomesLeader(long newTerm) {
        lessor.demote();
        term = newTerm;
        leads = true;
        leader = number;
        leaderHeard = etcd.sim.now();
        failReads();
        etcd.propose(this, this, new Command.Nothing(), false, outcome -> {
            if (leads && term == newTerm) {
                lessor.promote(etcd.electionTimeout());
            }
        });
    }

    /** It has voted. */
    void votes(long newTerm) {
        term = newTerm;
        stepDown();
    }

    void hears(long of, int who) {
        leaderHeard = etcd.sim.now();
        if (leads && who != number) {
            stepDown();
        }
        boolean other = leader != who || term != of;
        term = of;
        leader = who;
        if (other) {
            failReads();
        }
    }

    /** Now and then: what becomes of a member that hears nothing of a leader, or of a quorum. */
    void tick() {
        if (etcd.sim.now() < Math.max(frozenUntil, stalledUntil)) {
            return;
        }
        long patience = etcd.electionTimeout() + chance.nextLong(etcd.electionTimeout());
        if (leads && etcd.leads(this, term) && etcd.quorum(this)) {
            leaderHeard = etcd.sim.now();
        } else if (etcd.sim.now() - leaderHeard > patience) {
            if (leads || leader != NOBODY) {
                stepDown();
            }
            if (etcd.unchecked() && cutOff()) {
                term++; // this one asks for votes before it asks whether it could get them
                leaderHeard = etcd.sim.now();
            }
        }
        if (leader != NOBODY) {
            leaderless = etcd.sim.now();
        } else if (etcd.sim.now() - leaderless > 3 * etcd.electionTimeout()) {
            endWatches(NO_LEADER);
        }
    }

    private void stepDown() {
        leader = NOBODY;
        if (leads) {
            leads = false;
            long was = term;
            etcd.sim.at(
                    etcd.sim.now() + chance.nextLong(20 * MILLI),
                    () -> whenUp(() -> {
                        if (!leads || term == was) {
                            lessor.demote();
                        }
                    }));
        }
    }

    private void failReads() {
        var failed = List.copyOf(reads);
        reads.clear();
        failed.forEach(read -> {
            read.over = true;
            read.failed.run();
        });
    }

    // ---- faults

    void cutOff(Duration time) {
        faults++;
        cutOffUntil = Math.max(cutOffUntil, until(time));
        commits.hold(cutOffUntil);
        note("cut off from the others for " + time);
    }

    void freeze(Duration time) {
        faults++;
        frozenUntil = Math.max(frozenUntil, until(time));
        commits.hold(frozenUntil);
        note("frozen for " + time);
    }

    void stall(Duration time) {
        faults++;
        stalledSince = stalled() ? stalledSince : etcd.sim.now();
        stalledUntil = Math.max(stalledUntil, until(time));
        commits.hold(stalledUntil);
        note("its disk stalls for " + time);
    }

    void lag(Duration time) {
        faults++;
        commits.hold(until(time));
        note("applies nothing for " + time);
    }

    void overload(Duration time) {
        faults++;
        overloadedUntil = until(time);
    }

    /** Killed, and started again after a while. */
    void restart(Duration down) {
        note("restarts in " + down);
        frozenUntil = Math.max(frozenUntil, until(down));
        commits.hold(frozenUntil);
        leads = false;
        leader = NOBODY;
        lessor.demote();
        reads.clear();
        watches.clear();
        List.copyOf(connections).forEach(SimConnection::tear);
    }

    /** Killed, and started again after a while with what a backup had. */
    void restore(SimStore backup, int index, Duration down) {
        restart(down);
        store = backup;
        applied = index;
        waiting.clear();
    }

    void dropClients() {
        List.copyOf(connections).forEach(SimConnection::tear);
    }

    /** As a server does that is about to stop, or has been told that somebody may not watch any more. */
    void endWatches(Fault why) {
        List<SimServerWatch> ended = List.copyOf(watches);
        watches.clear();
        counts().add("watches ended by the server", ended.size());
        ended.forEach(watch -> watch.end(why));
    }

    private long until(Duration time) {
        return etcd.sim.now() + time.toNanos();
    }

    // ---- what goes on by itself

    private void lookAtLeasesLater() {
        etcd.sim.inBackgroundAt(etcd.sim.now() + chance.nextLong(400 * MILLI, 600 * MILLI), () -> {
            if (etcd.sim.now() >= frozenUntil && lessor.primary()) {
                boolean unsure = !etcd.unchecked() && stalled();
                if (!unsure) {
                    for (long lease : lessor.due()) {
                        note("lease " + Long.toHexString(lease) + " has expired");
                        raft(() -> hand(new Command.Revoke(lease), true, this, 3, null));
                    }
                }
            }
            lookAtLeasesLater();
        });
    }

    private void catchUpWatchesLater() {
        etcd.sim.inBackgroundAt(etcd.sim.now() + 100 * MILLI, () -> {
            if (etcd.sim.now() >= frozenUntil) {
                for (SimServerWatch watch : List.copyOf(watches)) {
                    if (watch.next() < store.compacted()) {
                        watches.remove(watch);
                        counts().add("watches of a revision compacted");
                        watch.end(new Fault(Code.COMPACTED, "compacted at revision " + store.compacted()));
                    } else if (watch.next() <= store.revision()) {
                        etcd.history(watch.next(), store.revision())
                                .forEach(events -> watch.happened(this, remembered(events)));
                    }
                }
            }
            catchUpWatchesLater();
        });
    }

    /** Without the deletions of the compacted revision, if this server forgets those. */
    private List<Event> remembered(List<Event> events) {
        boolean forgets = etcd.forgetful() && events.get(0).revision() == store.compacted();
        return forgets ? events.stream().filter(event -> !event.deleted()).toList() : events;
    }

    private long hop() {
        return chance.nextInt(50) == 0 ? chance.nextLong(40 * MILLI) : chance.nextLong(MILLI / 10, MILLI);
    }

    private void note(String what) {
        etcd.sim.note("member " + number, what);
    }
}
