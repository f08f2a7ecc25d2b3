package io.baton.zookeeper;

import io.baton.Op;
import io.baton.RecordKey;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * One seeded run of followers of records on a simulated ZooKeeper, under faults; then the faults stop, and after a while
 * everybody must know what is true.
 */
final class RecordSimulation extends SimulatedZooKeeper implements SeededRun {

    private static final String TREE = "config";

    private static final int PROCESSES = 3;
    private static final int LEAST_WRITES = 10;
    private static final int LEAST_FAULTS = 2;
    private static final Duration FAULTS = Duration.ofSeconds(40);

    /** So long after the last fault everybody is in contact again. */
    private static final Duration RECOVERY = Duration.ofSeconds(40);

    /** So long after the last write everybody has heard of it. */
    private static final Duration TOLD = Duration.ofSeconds(2);

    private final RecordTruth truth;
    private final SimFaults mixture;
    private final SimWriter writer;
    private final boolean stormy;
    private final List<Member> members = new ArrayList<>();
    private int number;

    /** A process, its client, and what it is told. */
    private record Member(SimProcess process, DefaultCoordinator client, SimFollower follower) {}

    RecordSimulation(long seed) {
        super(SimulationKind.RECORDS, seed);
        truth = new RecordTruth(zk, path(TREE));
        mixture = new SimFaults(sim);
        stormy = chance.nextInt(10) == 0;
        addFaults(mixture, "none", Interventions.NONE);
        if (forgetful()) {
            mixture.always(faults()::forgetAWatch);
        }
        if (early && zk.servers().size() > 1) {
            mixture.sometimesAlone(this::moveToOneBehind);
        }
        writer = new SimWriter(sim, zk, path(TREE));
        for (int i = 0; i < PROCESSES; i++) {
            members.add(member());
        }
        sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
        if (stormy) {
            sim.at(
                    chance.nextLong(FAULTS.toNanos()),
                    () -> writer.storm(mixture.upTo(1_500).toNanos()));
        }
        sim.afterEveryStep(() -> members.forEach(each -> each.follower.checkSoFar()));
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        writer.start();
        mixture.start();
        sim.runFor(FAULTS);
        mixture.stop();
        sim.note("test", "no more faults");
        sim.runFor(RECOVERY);
        writer.stop();
        if (chance.nextInt(8) == 0) {
            writer.end();
        }
        sim.note("test", "no more writes");
        sim.runFor(TOLD);
        if (forgetful()) {
            await(
                    "everybody knows what is true",
                    () -> members.stream().allMatch(each -> each.follower.knowsTheLast()));
        }
        for (Member each : members) {
            sim.check(each.follower.knowsTheLast(), each.follower + ", does not know " + truth.last());
        }
        members.forEach(each -> each.client.closeAsync());
        sim.runUntilQuiet(Duration.ofSeconds(30));
        addTo(totals);
        totals.merge("faults", mixture.faults(), Long::sum);
        totals.merge("states", (long) truth.states().size(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        return truth.states().size() >= LEAST_WRITES && mixture.faults() >= LEAST_FAULTS;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + patience().toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(200));
        }
    }

    /** A client whose session has been ended by hand begins another one at a server that hears of commits late. */
    private void moveToOneBehind() {
        Member moved = mixture.any(members);
        SimZkConnection connection = faults().connectionOf(moved.process);
        SimZkServer behind = mixture.any(zk.servers());
        if (connection == null || behind.leads() || !zk.alive(connection.session())) {
            mixture.nothing();
            return;
        }
        Duration soon = mixture.upTo(100);
        zk.endByHand(connection.session(), () -> {
            behind.lag(Duration.ofSeconds(1));
            sim.after(soon, () -> {
                zk.counts.add("clients moved to a server that is behind");
                zk.confine(moved.process, behind, Duration.ofSeconds(1));
            });
        });
    }

    /** One process goes, by closing or by dying, and another comes. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(members.size()));
        if (chance.nextBoolean()) {
            zk.counts.add("clients closed");
            going.client.closeAsync();
        } else {
            zk.counts.add("clients killed");
            going.process.kill();
        }
        members.add(member());
    }

    private Member member() {
        var process = new SimProcess(sim, "client" + number++, DRIFT_PPM);
        mixture.add(process);
        SimLoop loop = process.thread("loop");
        SimLoop callbacks = process.thread("user");
        Duration ttl = tick.multipliedBy(chance.nextInt(4, 16));
        DefaultCoordinator client = client(process, loop, callbacks, RequestWindow.SIZE, ttl, false);
        var follower = new SimFollower(truth, process, callbacks, zk.counts, !forgetful() && !stormy);
        var unused = client.records(TREE).observe("", follower);
        var member = new Member(process, client, follower);
        write(member);
        return member;
    }

    /** It also writes, now and then. */
    private void write(Member member) {
        sim.inBackgroundAt(sim.now() + mixture.upTo(4_000).toNanos(), () -> {
            if (members.contains(member) && !mixture.stopped()) {
                var key = new RecordKey(TREE, "k" + chance.nextInt(8));
                Op op = chance.nextInt(4) == 0 ? Op.delete(key) : Op.put(key, "by " + member.process.name());
                var unused = member.client.transactAsync(List.of(), List.of(op));
                write(member);
            }
        });
    }
}
