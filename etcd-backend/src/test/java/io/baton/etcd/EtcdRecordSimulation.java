package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
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
 * One seeded run of followers of records on a simulated etcd, under faults; then the faults stop, and after a while
 * everybody must know what is true.
 */
final class EtcdRecordSimulation extends SimulatedEtcd implements SeededRun {

    private static final String TREE = "config";
    private static final String PREFIX = prefix(TREE);

    private static final int PROCESSES = 3;
    private static final int LEAST_WRITES = 10;
    private static final int LEAST_FAULTS = 2;
    private static final Duration FAULTS = Duration.ofSeconds(40);

    /** So long after the last fault everybody is in contact again. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    /** So long after the last write everybody has heard of it. */
    private static final Duration TOLD = Duration.ofSeconds(3);

    /** What was not told is found to be missing at the second look, each of them after 45 s at the latest. */
    private static final Duration AUDITED = Duration.ofMinutes(3);

    private final RecordTruth truth;
    private final SimFaults mixture;
    private final SimWriter writer;
    private final boolean lossy;
    private final boolean restores;
    private final List<Member> members = new ArrayList<>();
    private int number;

    /** A process, its client, and what it is told. */
    private record Member(SimProcess process, DefaultCoordinator client, SimFollower follower) {}

    EtcdRecordSimulation(long seed) {
        super(SimulationKind.RECORDS, seed);
        truth = new RecordTruth(etcd, PREFIX);
        mixture = new SimFaults(sim);
        draw(mixture);
        lossy = forgetful() && chance.nextBoolean();
        restores = chance.nextInt(6) == 0;
        disturb(mixture, "locks/none", Interventions.NONE);
        if (lossy) {
            mixture.sometimes(faults()::loseOneEvent);
        }
        mixture.sometimes(() -> etcd.byHand(new Command.Compact(etcd.decided().revision())));
        if (restores) {
            sim.at(chance.nextLong(FAULTS.toNanos()), this::backUp);
        }
        if (chance.nextInt(4) == 0) {
            etcd.answersAtMost(chance.nextInt(3, 9));
        }
        writer = new SimWriter(sim, etcd, PREFIX, chance.nextInt(3) * 20);
        for (int i = 0; i < PROCESSES; i++) {
            members.add(member());
        }
        sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
        sim.afterEveryStep(() -> members.forEach(each -> each.follower.checkSoFar()));
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        writer.start();
        mixture.start();
        sim.runFor(FAULTS);
        mixture.stop();
        writer.stop();
        sim.note("test", "no more faults, and no more writes but one");
        sim.runFor(RECOVERY);
        calm();
        writer.last();
        sim.runFor(TOLD);
        if (forgetful() || restores) {
            await(
                    "everybody knows what is true",
                    () -> members.stream().allMatch(each -> each.follower.knowsTheLast()));
        }
        for (Member each : members) {
            sim.check(each.follower.knowsTheLast(), each.follower + ", does not know " + truth.now());
        }
        members.forEach(each -> each.client.closeAsync());
        sim.runUntilQuiet(Duration.ofSeconds(30));
        addTo(totals);
        totals.merge("faults", mixture.faults(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        return writer.writes() >= LEAST_WRITES && mixture.faults() >= LEAST_FAULTS;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + AUDITED.toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(200));
        }
    }

    private void backUp() {
        SimEtcd.Course backup = etcd.backUp();
        sim.after(mixture.upTo(8_000), () -> {
            etcd.counts.add("backups restored");
            etcd.restore(backup, mixture.upTo(3_000), mixture.onceIn(3));
        });
    }

    /** One process goes, by closing or by dying, and another comes. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(members.size()));
        if (chance.nextBoolean()) {
            etcd.counts.add("clients closed");
            going.client.closeAsync();
        } else {
            etcd.counts.add("clients killed");
            going.process.kill();
        }
        members.add(member());
    }

    private Member member() {
        var process = new SimProcess(sim, "client" + number++, DRIFT_PPM);
        mixture.add(process);
        SimLoop loop = process.thread("loop");
        SimLoop callbacks = process.thread("user");
        Duration ttl = Duration.ofSeconds(chance.nextInt(1, 10));
        DefaultCoordinator client = client(process, loop, callbacks, ttl, false);
        var follower = new SimFollower(truth, process, callbacks, etcd.counts, lossy);
        var unused = client.records(TREE).observe("", follower);
        return new Member(process, client, follower);
    }

    @Override
    String journalled() {
        return PREFIX;
    }
}
