package io.baton.tck.sim.election;

import io.baton.tck.sim.lock.LockRun;
import io.baton.tck.sim.lock.Scale;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.tck.sim.lock.SimulatedStore;
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
import java.util.function.BooleanSupplier;

/**
 * One seeded run of an election. Candidates in several processes also observe it, and one process only observes. Then
 * the faults stop, every candidate must lead once more and be seen, all stop, and nothing may be left over.
 */
public final class ElectionRun implements SeededRun {

    /** The name of the election. */
    static final String ELECTION = "boss";

    private static final String LINE = "elections/" + ELECTION;

    private static final int PROCESSES = 3;
    private static final int LEAST_TERMS = 5;
    private static final int LEAST_FAULTS = 2;
    private static final int ASKS = 6;
    private static final int PAUSES = 2;
    private static final Duration FAULTS = Duration.ofSeconds(40);

    /** The time after the last fault by which all are in contact again. */
    private static final Duration RECOVERY = Duration.ofSeconds(40);

    /** The time after the last fault at which the election is resumed for the last time. */
    private static final Duration RESUMED = Duration.ofSeconds(28);

    private static final Duration CALM = Duration.ofSeconds(20);
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private final SimulatedStore store;
    private final Simulation sim;
    private final SplittableRandom chance;
    private final ElectionInvariants invariants;
    private final SimFaults faults;
    private final SimOperators operators;
    private final List<Member> members = new ArrayList<>();
    private final List<SimCandidate> candidates = new ArrayList<>();
    private int number;
    private int kills;
    private int closes;

    /** A process, its client, its candidates and its observer. */
    private record Member(
            SimProcess process, SimulatedStore.Client client, List<SimCandidate> candidates, SimWatcher watcher) {}

    /**
     * Creates a run on this store; it has not started. If servers forget events, observers learn late, and may miss
     * leaders.
     */
    public ElectionRun(SimulatedStore store) {
        this.store = store;
        sim = store.sim();
        invariants = new ElectionInvariants(sim, store.truth(LINE, LockRun.RECORD));
        faults = new SimFaults(sim);
        store.addFaults(faults, LINE, invariants);
        chance = sim.chance();
        operators = new SimOperators(
                sim,
                chance,
                ELECTION,
                invariants.requests(),
                invariants::guard,
                FAULTS.plus(RESUMED),
                this::anyDesk,
                this::anybody);
        for (int i = 0; i < PROCESSES; i++) {
            members.add(member("candidate", 1 + chance.nextInt(2)));
        }
        members.add(member("observer", 0));
        for (int i = Scale.queue(sim.seed()); i > 0; i--) {
            members.add(member("queued", 1));
        }
        sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
        for (int i = 0; i < PAUSES; i++) {
            sim.at(chance.nextLong(FAULTS.toNanos()), operators::pause);
        }
        for (int i = 0; i < ASKS; i++) {
            sim.at(chance.nextLong(FAULTS.plus(RECOVERY).toNanos()), operators::ask);
        }
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run();
        addTo(totals);
        store.addTo(totals);
        return invariants.terms() >= LEAST_TERMS && faults.faults() >= LEAST_FAULTS;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void run() {
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        store.calm();
        sim.note("test", "no more faults");
        sim.runFor(RECOVERY);
        Map<SimCandidate, Integer> before = new LinkedHashMap<>();
        members.forEach(member -> member.candidates.forEach(each -> before.put(each, each.terms())));
        await(
                "everybody leads again",
                () -> before.entrySet().stream().allMatch(each -> each.getKey().terms() > each.getValue()));
        observe();
        sim.note("test", "everybody stops");
        candidates.forEach(SimCandidate::close);
        await("everybody has stopped", () -> candidates.stream().allMatch(SimCandidate::closed));
        sim.runFor(SETTLING);
        invariants.checkEnd();
        sim.check(invariants.requests().handOversEnded(), "somebody was never told what became of a hand-over");
        if (store.forgetful()) {
            await("everybody sees that nobody leads", this::everybodySeesTheHead);
        }
        members.forEach(
                member -> sim.check(member.watcher.seesHead(), "that nobody leads is not seen by " + member.watcher));
        members.forEach(member -> member.client.close().run());
        sim.runUntilQuiet(Duration.ofSeconds(30));
    }

    private void observe() {
        await("everybody sees the leader", this::everybodySeesTheHead);
        if (store.forgetful()) {
            return;
        }
        invariants.calm();
        members.forEach(member -> member.watcher.calm());
        sim.runFor(CALM);
        List<Long> lasting = List.copyOf(invariants.lasting());
        sim.runFor(Duration.ofSeconds(2));
        for (Member member : members) {
            sim.check(
                    member.watcher.sawAll(lasting),
                    "leaders that lasted were " + lasting + "; not all were seen by " + member.watcher);
        }
    }

    private boolean everybodySeesTheHead() {
        return members.stream().allMatch(member -> member.watcher.seesHead());
    }

    private void addTo(Map<String, Long> totals) {
        totals.merge("faults", faults.faults(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        totals.merge("terms", (long) invariants.terms(), Long::sum);
        totals.merge("terms lost", (long) invariants.losses(), Long::sum);
        ElectionRequests requests = invariants.requests();
        totals.merge("handed over", (long) requests.handOvers(), Long::sum);
        totals.merge("handing over refused", (long) requests.handOversRefused(), Long::sum);
        totals.merge("pauses", (long) requests.pauses(), Long::sum);
        totals.merge("last resorts", (long) invariants.lastResorts(), Long::sum);
        totals.merge("leaders that lasted", (long) invariants.lasting().size(), Long::sum);
        totals.merge(
                "changes seen",
                members.stream().mapToLong(member -> member.watcher.changes()).sum(),
                Long::sum);
        totals.merge("freezes", faults.freezes(), Long::sum);
        totals.merge("suspends", faults.suspends(), Long::sum);
        totals.merge("clients killed", (long) kills, Long::sum);
        totals.merge("clients closed", (long) closes, Long::sum);
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + store.patience().toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(200));
        }
    }

    /** One process leaves, by closing or by dying, and another joins. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(PROCESSES));
        if (chance.nextBoolean()) {
            sim.note("test", going.process.name() + " closes");
            closes++;
            going.candidates.forEach(SimCandidate::abandon);
            going.client.close().run();
        } else {
            going.process.kill();
            kills++;
        }
        candidates.removeAll(going.candidates);
        members.add(member("newcomer", 1));
    }

    /** Draws an id, most of the time that of a candidate. */
    private String anybody() {
        return chance.nextInt(12) == 0 || candidates.isEmpty()
                ? "somebody else"
                : candidates.get(chance.nextInt(candidates.size())).id();
    }

    private SimOperators.Desk anyDesk() {
        Member any = members.get(chance.nextInt(members.size()));
        return new SimOperators.Desk(any.process, any.client.coordinator());
    }

    private Member member(String name, int standing) {
        var process = new SimProcess(sim, name + number++, SimulatedStore.DRIFT_PPM);
        faults.add(process);
        SimLoop callbacks = process.thread("user");
        SimulatedStore.Client client = store.start(process, process.thread("loop"), callbacks);
        var watcher = new SimWatcher(invariants, process, callbacks, client.coordinator(), !store.forgetful());
        var own = new ArrayList<SimCandidate>();
        for (int i = 0; i < standing; i++) {
            own.add(new SimCandidate(
                    invariants,
                    process,
                    callbacks,
                    client.coordinator(),
                    client.ttl(),
                    process.name() + "-" + i,
                    this::anybody,
                    sim.chance()));
        }
        candidates.addAll(own);
        return new Member(process, client, own, watcher);
    }
}
