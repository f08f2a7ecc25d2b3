package io.baton.etcd;

import static java.util.Map.entry;

import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.tck.sim.lock.AuditsFindNothing;
import io.baton.tck.sim.lock.ForeignLine;
import io.baton.tck.sim.lock.HealthyContact;
import io.baton.tck.sim.lock.JudgedLines;
import io.baton.tck.sim.lock.LockInvariants;
import io.baton.tck.sim.lock.LockRun;
import io.baton.tck.sim.lock.Scale;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.tck.sim.lock.SteadyHolds;
import io.baton.tck.sim.lock.WakeUpBound;
import io.baton.testkit.sim.NothingLeft;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** One seeded run of a lock on a simulated etcd. */
final class EtcdLockSimulation implements SeededRun {

    private static final String ROOT = "/app";
    private static final String LINES = ROOT + "/locks/";
    private static final String LINE = LINES + LockRun.LOCK + "/";
    private static final String SESSIONS = ROOT + "/.sessions/";
    private static final String RECORD = ROOT + "/" + LockRun.RECORD.tree() + "/" + LockRun.RECORD.name();

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    /** An event that the server has forgotten is found to be missing after 45 s at the latest; there may be several. */
    private static final Duration AUDITED = Duration.ofMinutes(15);

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
            entry("DefaultCoordinator.parts", 7),
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

    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimEtcd etcd;
    private final LockInvariants invariants;
    private final boolean forgetful;
    private final boolean longLives;
    private final EtcdFaults faults;
    private final HealthyContact contacts;
    private final SteadyHolds steadyHolds;
    private final AuditsFindNothing audits;
    private final Map<SimReader, DefaultCoordinator> readers = new LinkedHashMap<>();
    private final List<SimForeigner> foreigners = new ArrayList<>();
    private final NothingLeft nothingLeft;
    private final Scale scale;
    private final LockRun run;

    EtcdLockSimulation(long seed) {
        this(seed, Scale.of(seed));
    }

    EtcdLockSimulation(long seed, Scale scale) {
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration electionTimeout = Duration.ofMillis(chance.nextInt(2) == 0 ? 1_000 : 300);
        etcd = new SimEtcd(sim, electionTimeout, chance.nextInt(3) > 0, DRIFT_PPM);
        if (Math.floorMod(seed, 4) == 3) {
            etcd.permitSingleKeysOnly(LINE);
        }
        var truth = new EtcdTruth(etcd, LINE, RECORD, SESSIONS);
        invariants = new LockInvariants(sim, truth);
        // Another request may prove the session again before the beat after a pause has looked at the entry.
        invariants.allowAfterPauses(Duration.ofSeconds(10));
        var mixture = new SimFaults(sim);
        // What befalls a leader shows in what outlives an election or two.
        longLives = chance.nextInt(3) < (mixture.lonely() ? 2 : 1);
        forgetful = chance.nextInt(5) == 0;
        this.scale = forgetful ? scale.withoutCrowd() : scale;
        if (forgetful) {
            invariants.allowForgottenEvents();
        }
        contacts = new HealthyContact(sim);
        steadyHolds = new SteadyHolds(sim, truth, invariants, contacts, 0);
        // That a request has been lost is noticed after the patience of the session that sent it.
        Duration bound = WAKE_UP.plusNanos(
                Timing.of(longLives ? LONGEST_TTL : LONGEST_SHORT_TTL).patience());
        audits = new AuditsFindNothing(sim, contacts, LATE_EVENTS, UNDISTURBED);
        if (!forgetful) {
            new WakeUpBound(sim, truth, invariants, contacts, bound);
            audits.judge(truth);
        }
        var lines = new JudgedLines(
                sim,
                invariants,
                contacts,
                audits,
                lock -> new EtcdTruth(etcd, LINES + lock + "/", LINES, SESSIONS),
                Duration.ZERO,
                bound,
                forgetful);
        faults = new EtcdFaults(etcd, truth, lines, mixture, forgetful);
        if (this.scale.sideLocks()) {
            LockRun.SIDE_LOCKS.forEach(lock -> faults.alsoForbid(LINES + lock + "/"));
        }
        nothingLeft = new NothingLeft(sim, "EtcdSession", MAY_KEEP);
        if (chance.nextInt(2) == 0) {
            foreigner("694d8f2a9c3b1e05");
            foreigner("ein/anderer");
        }
        if (this.scale.foreigners() > 0) {
            new ForeignLine(sim, scale.chance(), scale.foreigners(), this::foreignerJoins, this::foreignerLeaves);
        }
        run = new LockRun(
                sim, invariants, lines, this.scale, mixture, DRIFT_PPM, forgetful ? AUDITED : PATIENCE, this::client);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run(this::calm, this::settled);
        run.addTo(totals);
        totals.merge("looks at holds in undisturbed contact", steadyHolds.judged(), Long::sum);
        totals.merge("lost or late events found by audits", audits.count(), Long::sum);
        etcd.counts.addTo(totals);
        return run.eventful();
    }

    private void calm() {
        foreigners.forEach(SimForeigner::stop);
        if (forgetful) {
            faults.deafen();
        } else {
            sim.after(SOON, () -> invariants.expectProgress(PROGRESS));
        }
    }

    private void settled() {
        nothingLeft.checkEnd();
        if (!forgetful) {
            readers.forEach((reader, client) -> {
                if (client.state() != SessionState.CLOSED) {
                    reader.checkEnd();
                }
            });
        }
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void foreignerJoins(int number) {
        if (etcd.ready()) {
            etcd.counts.add("entries of a long line");
            etcd.byHand(new Command.Apply(
                    new Txn(List.of(), List.of(new Put(LINE + "long/" + number, new byte[0], 0)), List.of())));
        }
    }

    private boolean foreignerLeaves(int number) {
        boolean now = etcd.ready();
        if (now) {
            etcd.byHand(new Command.Apply(new Txn(List.of(), List.of(new Delete(LINE + "long/" + number)), List.of())));
        }
        return now;
    }

    private void foreigner(String name) {
        var foreigner = new SimForeigner(etcd, LINE + name);
        foreigner.start();
        foreigners.add(foreigner);
    }

    private LockRun.Client client(SimProcess process, SimLoop loop, SimLoop callbacks) {
        Duration ttl = Duration.ofSeconds(longLives ? chance.nextInt(6, 16) : chance.nextInt(1, 7));
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(ttl)
                .client(process.name())
                .rejoin(chance.nextBoolean())
                .build();
        DefaultCoordinator client = DefaultCoordinator.start(store(process, loop), loop, callbacks, options);
        var reader = new SimReader(etcd, process, callbacks, invariants, RECORD);
        readers.put(reader, client);
        nothingLeft.add(process, client);
        client.records(LockRun.RECORD.tree()).observe("", reader);
        Duration granted = etcd.leastTtl().compareTo(ttl) > 0 ? etcd.leastTtl() : ttl;
        return new LockRun.Client(client, granted, client::closeAsync);
    }

    private SimulatedStore store(SimProcess process, SimLoop loop) {
        EtcdWire.Factory wires = SimEtcdWire.from(process, etcd, loop, LINE, wire -> {
            faults.add(wire);
            contacts.add(wire);
        });
        return new SimulatedStore(ROOT, wires, session -> audits.add(new EtcdFindings(session)));
    }
}
