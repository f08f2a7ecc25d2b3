package io.baton.zookeeper;

import static java.util.Map.entry;

import io.baton.CoordinatorOptions;
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
import io.baton.zookeeper.wire.ZkAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** One seeded run of a lock on a simulated ZooKeeper. */
final class LockSimulation implements SeededRun {

    private static final String CHROOT = "/app";
    private static final String LINES = CHROOT + "/locks/";
    private static final String LINE = LINES + LockRun.LOCK;
    private static final String FOREIGNERS = "_c_00000000-0000-4000-8000-";
    private static final String RECORD = CHROOT + "/" + LockRun.RECORD.tree() + "/" + LockRun.RECORD.name();

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    /** To see what the first assumption in docs/correctness.md is for. */
    private static final boolean WITHOUT_ASSUMPTION_A = Boolean.getBoolean("baton.sim.without.a");

    private static final Duration PATIENCE = Duration.ofSeconds(200);

    /** From so long after the last fault on somebody has to be granted within the other, the sessions of the dead included. */
    private static final Duration SOON = Duration.ofSeconds(10);

    /** What was owed, or refused, is done within a second, and may take a few round trips; a proof takes a tick. */
    private static final Duration WAKE_UP = Duration.ofSeconds(3);

    private static final Duration PROGRESS = Duration.ofSeconds(20);
    /** A watch that a server has forgotten is found to be missing by the audit; there may be several. */
    private static final Duration AUDITED = Duration.ofMinutes(15);

    private static final int MOST_LINES = 8;
    private static final int MOST_CONTENDERS = 512;

    /** What is kept for later when nothing is under way. */
    private static final Map<String, Integer> MAY_KEEP = Map.ofEntries(
            entry("DefaultCoordinator.parts", 7),
            entry("Evidence.touches", 512),
            entry("Followings.lines", 64),
            entry("CzxidOrder.known", MOST_LINES),
            entry("LineLengths.lines", MOST_LINES),
            // Until its next round; places that were left say what they stood in.
            entry("LinePlace", 0),
            entry("Audit.moved", MOST_LINES),
            entry("Audit.waitedBefore", MOST_CONTENDERS));

    private final Simulation sim;
    private final SplittableRandom chance;
    private final Duration tick;
    private final SimZooKeeper zk;
    private final LockInvariants invariants;
    private final boolean forgetful;
    private final ZkFaults faults;
    private final HealthyContact contacts;
    private final SteadyHolds steadyHolds;
    private final AuditsFindNothing audits;
    private final NothingLeft nothingLeft;
    private final Scale scale;
    private final LockRun run;

    // Whose removal the leader has been asked for, who may wait for his quorum for long.
    private final Set<String> foreignersLeaving = new HashSet<>();
    private @Nullable SimZkReign foreignersAskedOf;
    private boolean leadersLast;

    LockSimulation(long seed) {
        this(seed, Scale.of(seed));
    }

    LockSimulation(long seed, Scale scale) {
        this.scale = scale;
        sim = new Simulation(seed);
        chance = sim.chance();
        tick = Duration.ofMillis(chance.nextInt(2) == 0 ? 500 : 200);
        int servers = chance.nextInt(5) == 0 ? 1 : 3;
        zk = new SimZooKeeper(sim, servers, tick, chance.nextInt(3, 10), DRIFT_PPM);
        if (WITHOUT_ASSUMPTION_A) {
            zk.doNotAnswerFirst();
        }
        boolean numbersEnd = chance.nextInt(6) == 0;
        if (numbersEnd) {
            int end = chance.nextBoolean() ? Integer.MAX_VALUE : (int) EntryName.LAST_SAFE;
            zk.numberFrom(end - chance.nextInt(60));
        }
        var truth = new ZkTruth(zk, LINE, RECORD);
        invariants = new LockInvariants(sim, truth);
        invariants.judgeFailures(why -> !(why.getCause() instanceof KeeperException.ThrottledOpException));
        zk.afterEachCommit(invariants::checkRecord);
        var mixture = new SimFaults(sim);
        forgetful = chance.nextInt(5) == 0;
        if (forgetful) {
            invariants.allowForgottenEvents();
        }
        nothingLeft = new NothingLeft(sim, "ZkSession", MAY_KEEP);
        contacts = new HealthyContact(sim);
        steadyHolds = new SteadyHolds(sim, truth, invariants, contacts, tick.toNanos());
        audits = new AuditsFindNothing(sim, contacts, Duration.ZERO, Duration.ZERO);
        if (!forgetful) {
            new WakeUpBound(sim, truth, invariants, contacts, WAKE_UP);
            audits.judge(truth);
        }
        var lines = new JudgedLines(
                sim,
                invariants,
                contacts,
                audits,
                lock -> new ZkTruth(zk, LINES + lock, LINES),
                tick,
                WAKE_UP,
                forgetful);
        faults = new ZkFaults(sim, zk, truth, lines, mixture, forgetful);
        faults.alsoWriteByHand();
        if (scale.sideLocks()) {
            LockRun.SIDE_LOCKS.forEach(lock -> faults.alsoForbid(LINES + lock));
        }
        if (scale.foreigners() > 0 && !numbersEnd) {
            new ForeignLine(sim, scale.chance(), scale.foreigners(), this::foreignerJoins, this::foreignerLeaves);
        }
        run = new LockRun(
                sim, invariants, lines, scale, mixture, DRIFT_PPM, forgetful ? AUDITED : PATIENCE, this::client);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run(this::calm, nothingLeft::checkEnd);
        run.addTo(totals);
        totals.merge("looks at holds in undisturbed contact", steadyHolds.judged(), Long::sum);
        totals.merge("lost events found by audits", audits.count(), Long::sum);
        long unnumbered =
                invariants.granted().stream().filter(ZkTruth::unnumbered).count();
        totals.merge("grants past the last number", unnumbered, Long::sum);
        zk.addTo(totals);
        return run.eventful();
    }

    private void calm() {
        sim.after(SOON, () -> {
            leadersLast = true;
            if (!forgetful) {
                invariants.expectProgress(PROGRESS);
            }
        });
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    /** As Curator's do. */
    private static String foreigner(int number) {
        return FOREIGNERS + "00" + SimPrep.padded(number) + "-lock-";
    }

    private void foreignerJoins(int number) {
        zk.counts.add("entries of a long line");
        zk.createByHand(LINE + "/" + foreigner(number));
    }

    /**
     * With those before it, whose removal may have been lost with a leader. Entries that a deposed leader has proposed may
     * still be kept by a later one, so as long as leaders go the last one has not left for good.
     */
    private boolean foreignerLeaves(int number) {
        if (!zk.ready()) {
            return false;
        }
        if (foreignersAskedOf != zk.reign()) {
            foreignersAskedOf = zk.reign();
            foreignersLeaving.clear();
        }
        SimTree.Znode line = zk.committed().find(LINE);
        String next = foreigner(number + 1);
        List<String> left = line == null
                ? List.of()
                : line.children().stream()
                        .filter(name -> name.startsWith(FOREIGNERS) && name.compareTo(next) < 0)
                        .toList();
        left.stream().filter(foreignersLeaving::add).forEach(name -> zk.deleteByHand(LINE + "/" + name, () -> {}));
        return number + 1 < scale.foreigners() || leadersLast && left.isEmpty();
    }

    private void opened(SimZkWire wire) {
        faults.add(wire);
        contacts.add(wire);
    }

    private LockRun.Client client(SimProcess process, SimLoop loop, SimLoop callbacks) {
        var address = new ZkAddress("simulated", CHROOT, tick);
        // Rarely are there more requests of one client than any window lets through.
        int window = chance.nextInt(3) == 0 ? 1 : RequestWindow.SIZE;
        var store = new ShownSessions(
                new ZkStore(address, any -> SimZkWire.from(process, zk, loop, this::opened), window),
                session -> audits.add(new ZkFindings(session)));
        // Now and then more than the servers grant, which is 20 ticks.
        Duration ttl = tick.multipliedBy(chance.nextInt(8) == 0 ? 30 : chance.nextInt(4, 16));
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(ttl)
                .client(process.name())
                .rejoin(chance.nextBoolean())
                .build();
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks, options);
        nothingLeft.add(process, client);
        return new LockRun.Client(client, ttl, client::closeAsync);
    }
}
