package io.baton.tck.sim.lock;

import io.baton.RecordKey;
import io.baton.tck.sim.lock.SimulatedStore.Client;
import io.baton.testkit.sim.NothingLeft;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * One seeded run of a lock. Three clients contend while faults happen. Then the faults stop, every client must be
 * granted once more, contention goes on for a while, all stop, and nothing may be left over.
 */
public final class LockRun {

    /** The lock of the run. */
    public static final String LOCK = "orders";

    /** The record that is written under the lock. */
    public static final RecordKey RECORD = new RecordKey("stock", "item");

    /** Further locks of some runs. */
    public static final List<String> SIDE_LOCKS = List.of("left", "right");

    private static final int CLIENTS = 3;
    private static final int LEAST_GRANTS = 5;
    private static final int LEAST_FAULTS = 2;
    private static final Duration FAULTS = Duration.ofSeconds(40);

    /** Waiters must be granted without a break in contact that would make all of them read the line again. */
    private static final Duration UNTROUBLED = Duration.ofSeconds(3);

    /**
     * The last request of a client that was killed, or closed without contact, may be applied late, and lasts as long
     * as its session.
     */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private final SimContest contest;
    private final Simulation sim;
    private final SplittableRandom chance;
    private final LockInvariants invariants;
    private final JudgedLines lines;
    private final Scale scale;
    private final SimFaults faults;
    private final SimulatedStore store;
    private final NothingLeft nothingLeft;
    private final List<Member> members = new ArrayList<>();
    private final List<SimContender> closing = new ArrayList<>();
    private int kills;
    private int closes;

    /** A client, its process, the loop of its callbacks, and its contenders. */
    private record Member(SimProcess process, SimLoop callbacks, Client client, List<SimContender> contenders) {}

    /**
     * Creates a run; it has not started.
     *
     * @param contest what the clients contend for
     * @param invariants those of the run's main lock
     * @param lines the checks of the main lock and further locks
     * @param scale what the run has beyond three clients
     * @param nothingLeft checks each client at the end
     */
    public LockRun(
            SimContest contest,
            SimulatedStore store,
            LockInvariants invariants,
            JudgedLines lines,
            Scale scale,
            SimFaults faults,
            NothingLeft nothingLeft) {
        this.contest = contest;
        this.store = store;
        this.sim = store.sim();
        this.chance = sim.chance();
        this.invariants = invariants;
        this.lines = lines;
        this.scale = scale;
        this.faults = faults;
        this.nothingLeft = nothingLeft;
        for (int i = 0; i < CLIENTS; i++) {
            members.add(member("client" + i));
        }
        sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
        if (scale.crowd() > 0) {
            members.add(crowd());
        }
        for (int i = 0; i < scale.queue(); i++) {
            members.add(inTheQueue("queued" + i));
        }
        contest.judge(lines);
        contest.start(store, faults);
    }

    /**
     * Runs to the end and adds the event counts.
     *
     * @param settled called when all have stopped
     * @return whether enough happened to count as a test: five grants and two faults
     */
    public boolean run(Map<String, Long> totals, Runnable settled) {
        run(settled);
        addTo(totals);
        lines.addTo(totals);
        contest.addTo(invariants, totals);
        store.addTo(totals);
        return invariants.grants() >= LEAST_GRANTS && faults.faults() >= LEAST_FAULTS;
    }

    private void run(Runnable settled) {
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        store.calm();
        sim.note("test", "no more faults");
        Map<SimContender, Integer> before = new LinkedHashMap<>();
        members.forEach(member -> member.contenders.forEach(each -> before.put(each, each.grants())));
        await(
                "everybody is granted again",
                () -> before.entrySet().stream().allMatch(each -> each.getKey().grants() > each.getValue()));
        sim.runFor(UNTROUBLED);
        sim.note("test", "everybody stops");
        before.keySet().forEach(SimContender::stop);
        closing.addAll(before.keySet());
        await("everybody is answered", () -> closing.stream().allMatch(SimContender::idle));
        sim.runFor(SETTLING);
        lines.checkEnd();
        nothingLeft.checkEnd();
        settled.run();
        members.forEach(member -> member.client.close().run());
        sim.runUntilQuiet(Duration.ofSeconds(30));
    }

    private void addTo(Map<String, Long> totals) {
        totals.merge("faults", faults.faults(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        totals.merge("grants", (long) invariants.grants(), Long::sum);
        totals.merge("losses", invariants.losses(), Long::sum);
        totals.merge("writes", invariants.writes(), Long::sum);
        totals.merge("refused writes", invariants.refusedWrites(), Long::sum);
        totals.merge("freezes", faults.freezes(), Long::sum);
        totals.merge("suspends", faults.suspends(), Long::sum);
        totals.merge("wall clocks set back", faults.clocksSetBack(), Long::sum);
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

    /** One client leaves, by closing or by dying, and another joins. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(members.size()));
        if (chance.nextBoolean()) {
            sim.note("test", going.process.name() + " closes");
            closes++;
            going.contenders.forEach(SimContender::stop);
            closing.addAll(going.contenders);
            going.client.close().run();
        } else {
            going.process.kill();
            kills++;
        }
        members.add(member("newcomer"));
    }

    private Member member(String name) {
        Member member = client(name);
        for (int i = contest.contenders(chance); i > 0; i--) {
            contend(member, sim.chance(), Habits.usual(contest::ask));
        }
        if (scale.sideLocks()) {
            for (String lock : SIDE_LOCKS) {
                contend(member, scale.chance().split(), Habits.forLong(lock));
            }
        }
        return member;
    }

    /** Creates a client with many waiters, beside one hold that lasts. */
    private Member crowd() {
        Member crowd = client("crowd");
        contend(crowd, scale.chance().split(), Habits.forLong("quiet"));
        for (int i = 0; i < scale.crowd(); i++) {
            contend(crowd, scale.chance().split(), Habits.shortly("crowded"));
        }
        return crowd;
    }

    /** Creates a client with one contender, which holds for a moment. */
    private Member inTheQueue(String name) {
        Member member = client(name);
        contend(member, scale.chance().split(), Habits.inTheQueue(contest::ask));
        return member;
    }

    /** Creates a client without contenders. */
    private Member client(String name) {
        var process = new SimProcess(sim, name, SimulatedStore.DRIFT_PPM);
        faults.add(process);
        SimLoop callbacks = process.thread("user");
        Client client = store.start(process, process.thread("loop"), callbacks);
        nothingLeft.add(process, client.coordinator());
        return new Member(process, callbacks, client, new ArrayList<>());
    }

    private void contend(Member member, SplittableRandom its, Habits habits) {
        var contender = new SimContender(
                lines.of(habits.lock()),
                member.process,
                member.callbacks,
                member.client.coordinator(),
                member.client.ttl(),
                its,
                habits);
        contender.start();
        member.contenders.add(contender);
    }
}
