package io.baton.etcd;

import io.baton.CoordinatorOptions;
import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * One seeded run of followers of records on a simulated etcd, under faults; then the faults stop, and after a while
 * everybody must know what is true.
 */
final class EtcdRecordSimulation implements SeededRun {

    private static final String ROOT = "/app";
    private static final String TREE = "config";
    private static final String PREFIX = ROOT + "/" + TREE + "/";

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

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

    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimEtcd etcd;
    private final RecordTruth truth;
    private final SimFaults mixture;
    private final EtcdFaults faults;
    private final SimWriter writer;
    private final boolean forgetful;
    private final boolean lossy;
    private final boolean restores;
    private final List<Member> members = new ArrayList<>();
    private int number;

    /** A process, its client, and what it is told. */
    private record Member(SimProcess process, DefaultCoordinator client, SimFollower follower) {}

    EtcdRecordSimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration electionTimeout = Duration.ofMillis(chance.nextInt(2) == 0 ? 1_000 : 300);
        etcd = new SimEtcd(sim, electionTimeout, chance.nextInt(3) > 0, DRIFT_PPM);
        truth = new RecordTruth(etcd, PREFIX);
        mixture = new SimFaults(sim);
        forgetful = chance.nextInt(5) == 0;
        lossy = forgetful && chance.nextBoolean();
        restores = chance.nextInt(6) == 0;
        var line = new EtcdTruth(etcd, ROOT + "/locks/none/", ROOT + "/none", ROOT + "/.sessions/");
        faults = new EtcdFaults(etcd, line, Interventions.NONE, mixture, forgetful);
        if (lossy) {
            mixture.sometimes(faults::loseOneEvent);
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
        if (forgetful) {
            faults.deafen();
        }
        writer.last();
        sim.runFor(TOLD);
        if (forgetful || restores) {
            await(
                    "everybody knows what is true",
                    () -> members.stream().allMatch(each -> each.follower.knowsTheLast()));
        }
        for (Member each : members) {
            sim.check(each.follower.knowsTheLast(), each.follower + ", does not know " + truth.now());
        }
        members.forEach(each -> each.client.closeAsync());
        sim.runUntilQuiet(Duration.ofSeconds(30));
        etcd.counts.addTo(totals);
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
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(Duration.ofSeconds(chance.nextInt(1, 10)))
                .client(process.name())
                .build();
        DefaultCoordinator client =
                DefaultCoordinator.start(new SimulatedStore(process, loop), loop, callbacks, options);
        var follower = new SimFollower(truth, process, callbacks, etcd.counts, lossy);
        client.records(TREE).observe("", follower);
        return new Member(process, client, follower);
    }

    private final class SimulatedStore implements Store {

        private final SimProcess process;
        private final SimLoop thread;

        SimulatedStore(SimProcess process, SimLoop thread) {
            this.process = process;
            this.thread = thread;
        }

        @Override
        public Guarantees guarantees() {
            return Guarantees.ofQuorum(LiveEtcdStore.MAX_OPS, LiveEtcdStore.MAX_BYTES, LiveEtcdStore.EXPIRY_LAG);
        }

        @Override
        public void check(Line line) {
            throw new IllegalArgumentException("not here: " + line);
        }

        @Override
        public Session open(SessionSpec spec, Loop loop, SessionListener to) {
            var address = new EtcdAddress(List.of(), ROOT, false);
            EtcdWire.Factory wires = SimEtcdWire.from(process, etcd, thread, PREFIX, faults::add);
            return new EtcdSession(address, spec, Timing.of(spec.ttl()), loop, wires, to);
        }
    }
}
