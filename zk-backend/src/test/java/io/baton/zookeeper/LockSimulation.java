package io.baton.zookeeper;

import static java.util.Map.entry;

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
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/** One seeded run of a lock, a read/write lock or a semaphore on a simulated ZooKeeper. */
final class LockSimulation extends SimulatedZooKeeper implements SeededRun {

    private static final String LINES = "locks/";
    private static final String FOREIGNERS = "_c_00000000-0000-4000-8000-";

    /** To see what the assumption on pings in docs/guarantees.md is for. */
    private static final boolean WITHOUT_ASSUMPTION_A = Boolean.getBoolean("baton.sim.without.a");

    /** From so long after the last fault on somebody has to be granted within the other, the sessions of the dead included. */
    private static final Duration SOON = Duration.ofSeconds(10);

    private static final Duration PROGRESS = Duration.ofSeconds(20);

    /** What was owed, or refused, is done within a second, and may take a few round trips; a proof takes a tick. */
    private static final Duration WAKE_UP = Duration.ofSeconds(3);

    private static final int MOST_LINES = 8;
    private static final int MOST_CONTENDERS = 512;

    /** What is kept for later when nothing is under way. */
    private static final Map<String, Integer> MAY_KEEP = Map.ofEntries(
            entry("DefaultCoordinator.parts", 9),
            entry("Evidence.touches", 512),
            entry("Followings.lines", 64),
            entry("CzxidOrder.known", MOST_LINES),
            entry("Positions.newest", 1),
            entry("Positions.found", 1),
            entry("LineLengths.lines", MOST_LINES),
            // Until its next round; places that were left say what they stood in.
            entry("LinePlace", 0),
            entry("Audit.moved", MOST_LINES),
            entry("Audit.waitedBefore", MOST_CONTENDERS));

    private final SimContest contest;
    private final ZkTruth truth;
    private final LockInvariants invariants;
    private final JudgedLines lines;
    private final Scale scale;
    private final LockRun run;

    // Whose removal the leader has been asked for, who may wait for his quorum for long.
    private final Set<String> foreignersLeaving = new HashSet<>();
    private @Nullable SimZkReign foreignersAskedOf;
    private boolean leadersLast;

    LockSimulation(SimulationKind kind, long seed, Scale scale) {
        super(kind, seed);
        this.contest = SimContest.of(kind, seed);
        this.scale = scale;
        if (WITHOUT_ASSUMPTION_A) {
            zk.doNotAnswerFirst();
        }
        truth = truth(contest.line(), contest.record());
        invariants = contest.invariants(sim, this::truth);
        invariants.judgeFailures(why -> !(why.getCause() instanceof KeeperException.ThrottledOpException));
        zk.afterEachCommit(invariants::checkRecord);
        if (forgetful()) {
            invariants.allowForgottenEvents();
        }
        var mixture = new SimFaults(sim);
        // Events and answers come in one order.
        var bounds = new JudgedLines.Bounds(tick, WAKE_UP, Duration.ZERO, Duration.ZERO);
        lines = new JudgedLines(sim, truth, invariants, lock -> truth(LINES + lock), bounds, forgetful());
        addFaults(mixture, contest.line().path(), lines);
        faults().alsoMeddle();
        contest.queue().ifPresent(queue -> faults().alsoIn(truth(queue, contest.record())));
        if (scale.sideLocks()) {
            LockRun.SIDE_LOCKS.forEach(lock -> faults().alsoForbid(path(LINES + lock)));
        }
        if (scale.foreigners() > 0 && !numbersEnd) {
            new ForeignLine(sim, scale.chance(), scale.foreigners(), this::foreignerJoins, this::foreignerLeaves);
        }
        run = new LockRun(
                contest, this, invariants, lines, scale, mixture, new NothingLeft(sim, "ZkSession", MAY_KEEP));
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        boolean eventful = run.run(totals, () -> {});
        long unnumbered =
                invariants.granted().stream().filter(truth::unnumbered).count();
        totals.merge("grants past the last number", unnumbered, Long::sum);
        return eventful;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    @Override
    void opened(SimZkWire wire) {
        super.opened(wire);
        lines.add(wire);
    }

    @Override
    void opened(ZkSession session) {
        lines.add(new ZkFindings(session));
    }

    @Override
    public void calm() {
        sim.after(SOON, () -> {
            leadersLast = true;
            if (!forgetful()) {
                invariants.expectProgress(PROGRESS);
            }
        });
    }

    /** As Curator's do. */
    private static String foreigner(int number) {
        return FOREIGNERS + "00" + SimPrep.padded(number) + "-lock-";
    }

    private void foreignerJoins(int number) {
        zk.counts.add("entries of a long line");
        zk.createByHand(truth.path() + "/" + foreigner(number));
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
        SimTree.Znode line = zk.committed().find(truth.path());
        String next = foreigner(number + 1);
        List<String> left = line == null
                ? List.of()
                : line.children().stream()
                        .filter(name -> name.startsWith(FOREIGNERS) && name.compareTo(next) < 0)
                        .toList();
        left.stream()
                .filter(foreignersLeaving::add)
                .forEach(name -> zk.deleteByHand(truth.path() + "/" + name, () -> {}));
        return number + 1 < scale.foreigners() || leadersLast && left.isEmpty();
    }
}
