package io.baton.etcd;

import static java.util.Map.entry;

import io.baton.Coordinator;
import io.baton.SessionState;
import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.lock.ForeignLine;
import io.baton.tck.sim.lock.JudgedLines;
import io.baton.tck.sim.lock.LockInvariants;
import io.baton.tck.sim.lock.LockRun;
import io.baton.tck.sim.lock.Scale;
import io.baton.tck.sim.lock.SimContest;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.NothingLeft;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One seeded run of a lock, a read/write lock or a semaphore on a simulated etcd. */
final class EtcdLockSimulation extends SimulatedEtcd implements SeededRun {

    private static final String LINES = "locks/";
    private static final String RECORD = prefix(LockRun.RECORD.tree()) + LockRun.RECORD.name();

    /** From so long after the last fault on somebody has to be granted within the other, the sessions of the dead included. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** What was owed, or refused, is done within a second, and may take a few round trips; a lost answer takes longer. */
    private static final Duration WAKE_UP = Duration.ofSeconds(3);

    /** An event takes up to 160 ms, as does the answer to an audit; what is undisturbed has a look every 50 ms. */
    private static final Duration LATE_EVENTS = Duration.ofMillis(600);

    /** By then nothing is late because of trouble before. */
    private static final Duration UNDISTURBED = Duration.ofSeconds(5);

    private static final Duration LONGEST_TTL = Duration.ofSeconds(15);
    private static final Duration LONGEST_SHORT_TTL = Duration.ofSeconds(6);

    /** A cut-off holds back what keeps a lease of the dead alive: it arrives when that ends. */
    private static final Duration PROGRESS =
            EtcdFaults.LONGEST_OUTAGE.plus(LONGEST_TTL).plusSeconds(6).minus(SOON);

    private static final int MOST_LINES = 8;
    private static final int MOST_CONTENDERS = 512;

    /** What is kept for later, or for the one reader of records, when nothing is under way. */
    private static final Map<String, Integer> MAY_KEEP = Map.ofEntries(
            entry("DefaultCoordinator.parts", 9),
            entry("SessionRegistry.all", 1),
            entry("Observation.present", 1),
            entry("EtcdSession.trees", 1),
            entry("Audit.trees", 1),
            entry("PrefixWatches.all", 1),
            entry("KeyInventory.known", 1),
            entry("KeyInventory.doubtful", 2),
            entry("Evidence.leases", 2),
            entry("Evidence.renewedIn", 2),
            entry("Evidence.missing", 2),
            entry("Evidence.renewals", 8),
            entry("Followings.lines", 64),
            entry("Following.removals", 1_024),
            entry("PredecessorWatchCache.lines", 64),
            entry("EntryKeys.lines", 64),
            // Until its next round; places that were left say what they stood in.
            entry("LinePlace", 0),
            entry("Audit.moved", MOST_LINES),
            entry("Audit.waitedBefore", MOST_CONTENDERS));

    private final SimContest contest;
    private final String prefix;
    private final LockInvariants invariants;
    private final JudgedLines lines;
    private final Map<SimReader, Coordinator> readers = new LinkedHashMap<>();
    private final LockRun run;

    EtcdLockSimulation(SimulationKind kind, long seed, Scale asked) {
        super(kind, seed);
        contest = SimContest.of(kind, seed);
        prefix = prefix(contest.line().path());
        if (Math.floorMod(seed, 4) == 3) {
            etcd.permitSingleKeysOnly(prefix);
        }
        EtcdTruth truth = truth(contest.line(), contest.record());
        invariants = contest.invariants(sim, this::truth);
        // Another request may prove the session again before the beat after a pause has looked at the entry.
        invariants.allowAfterPauses(Duration.ofSeconds(10));
        invariants.expectMarksToLast();
        var mixture = new SimFaults(sim);
        draw(mixture);
        Scale scale = forgetful() ? asked.withoutCrowd() : asked;
        if (forgetful()) {
            invariants.allowForgottenEvents();
        }
        // That a request has been lost is noticed after the patience of the session that sent it.
        Duration wakeUp = WAKE_UP.plusNanos(
                Timing.of(longLives() ? LONGEST_TTL : LONGEST_SHORT_TTL).patience());
        var bounds = new JudgedLines.Bounds(Duration.ZERO, wakeUp, LATE_EVENTS, UNDISTURBED);
        lines = new JudgedLines(sim, truth, invariants, lock -> truth(LINES + lock), bounds, forgetful());
        disturb(mixture, contest.line(), lines);
        contest.queue().ifPresent(queue -> faults().alsoIn(truth(queue, contest.record())));
        if (scale.sideLocks()) {
            LockRun.SIDE_LOCKS.forEach(lock -> faults().alsoForbid(prefix(LINES + lock)));
        }
        if (scale.foreigners() > 0) {
            new ForeignLine(sim, scale.chance(), scale.foreigners(), this::foreignerJoins, this::foreignerLeaves);
        }
        run = new LockRun(
                contest, this, invariants, lines, scale, mixture, new NothingLeft(sim, "EtcdSession", MAY_KEEP));
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        return run.run(totals, this::settled);
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    @Override
    void opened(SimEtcdWire wire) {
        super.opened(wire);
        lines.add(wire);
    }

    @Override
    void opened(EtcdSession session) {
        lines.add(new EtcdFindings(session));
    }

    @Override
    public Client start(SimProcess process, SimLoop loop, SimLoop callbacks) {
        Client client = super.start(process, loop, callbacks);
        if (!contest.guardsRecord()) {
            return client;
        }
        var reader = new SimReader(etcd, process, callbacks, invariants, RECORD);
        readers.put(reader, client.coordinator());
        var unused = client.coordinator().records(LockRun.RECORD.tree()).observe("", reader);
        return client;
    }

    @Override
    public void calm() {
        super.calm();
        if (!forgetful()) {
            sim.after(SOON, () -> invariants.expectProgress(PROGRESS));
        }
    }

    private void settled() {
        if (!forgetful()) {
            readers.forEach((reader, client) -> {
                if (client.state() != SessionState.CLOSED) {
                    reader.checkEnd();
                }
            });
        }
    }

    private void foreignerJoins(int number) {
        if (etcd.ready()) {
            etcd.counts.add("entries of a long line");
            etcd.byHand(new Command.Apply(
                    new Txn(List.of(), List.of(new Put(prefix + "long/" + number, new byte[0], 0)), List.of())));
        }
    }

    private boolean foreignerLeaves(int number) {
        boolean now = etcd.ready();
        if (now) {
            etcd.byHand(
                    new Command.Apply(new Txn(List.of(), List.of(new Delete(prefix + "long/" + number)), List.of())));
        }
        return now;
    }
}
