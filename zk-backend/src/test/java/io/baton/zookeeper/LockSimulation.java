package io.baton.zookeeper;

import io.baton.CoordinatorOptions;
import io.baton.RecordKey;
import io.baton.internal.Client;
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
 * One seeded run: three clients contend on one lock while faults happen; then the faults stop, everybody must be
 * granted once more, everybody stops, and nothing may be left over.
 */
final class LockSimulation {

    static final String LOCK = "orders";
    static final RecordKey RECORD = new RecordKey("stock", "item");

    private static final String CHROOT = "/app";
    private static final String LINE = CHROOT + "/locks/" + LOCK;
    private static final int CLIENTS = 3;
    private static final int DRIFT_PPM = 2_000;
    private static final Duration FAULTS = Duration.ofSeconds(40);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final Duration tick;
    private final SimZooKeeper zk;
    private final LockInvariants invariants;
    private final SimFaults faults;
    private final List<Member> members = new ArrayList<>();
    private final List<SimContender> closing = new ArrayList<>();
    private int kills;
    private int closes;

    LockSimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        tick = Duration.ofMillis(chance.nextInt(2) == 0 ? 500 : 200);
        int servers = chance.nextInt(3) == 0 ? 1 : 3;
        zk = new SimZooKeeper(sim, servers, tick, chance.nextInt(5, 13));
        if (chance.nextInt(6) == 0) {
            int end = chance.nextBoolean() ? Integer.MAX_VALUE : (int) EntryName.LAST_SAFE;
            zk.numberFrom(end - chance.nextInt(60));
        }
        invariants = new LockInvariants(sim, zk, LINE, CHROOT + "/" + RECORD.tree() + "/" + RECORD.name());
        faults = new SimFaults(sim, zk, LINE, invariants);
        for (int i = 0; i < CLIENTS; i++) {
            members.add(member("client" + i));
        }
        sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
    }

    /** A client, where it runs, and who uses it. */
    private record Member(SimProcess process, Client client, List<SimContender> contenders) {}

    /** What a run was made of. */
    record Totals(
            SimCounts zk,
            long grants,
            long unnumberedGrants,
            long losses,
            long writes,
            long refusedWrites,
            SimFaults faults,
            long kills,
            long closes,
            long steps) {}

    Totals run() {
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        sim.note("test", "no more faults");
        Map<SimContender, Integer> before = new LinkedHashMap<>();
        members.forEach(member -> member.contenders.forEach(each -> before.put(each, each.grants())));
        await(
                "everybody is granted again",
                () -> before.entrySet().stream().allMatch(each -> each.getKey().grants() > each.getValue()));
        sim.note("test", "everybody stops");
        before.keySet().forEach(SimContender::stop);
        closing.addAll(before.keySet());
        await("everybody is answered", () -> closing.stream().allMatch(SimContender::idle));
        sim.runFor(SETTLING);
        invariants.checkEnd();
        members.forEach(member -> member.client.closeAsync());
        sim.runUntilQuiet(Duration.ofSeconds(30));
        return new Totals(
                zk.counts,
                invariants.grants(),
                invariants.unnumberedGrants(),
                invariants.losses(),
                invariants.writes(),
                invariants.refusedWrites(),
                faults,
                kills,
                closes,
                sim.steps());
    }

    Trace trace() {
        return sim.trace();
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(200));
        }
    }

    /** One client goes, by closing or by dying, and another comes. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(members.size()));
        if (chance.nextBoolean()) {
            sim.note("test", going.process.name() + " closes");
            closes++;
            going.contenders.forEach(SimContender::stop);
            closing.addAll(going.contenders);
            going.client.closeAsync();
        } else {
            going.process.kill();
            kills++;
        }
        members.add(member("newcomer"));
    }

    private Member member(String name) {
        var process = new SimProcess(sim, name, DRIFT_PPM);
        faults.add(process);
        SimLoop loop = process.thread("loop");
        var address = new ZkAddress("simulated", CHROOT, tick);
        var store = new ZkStore(address, any -> SimZkWire.from(process, zk, loop, faults::add));
        // Now and then more than the servers grant, which is 20 ticks.
        Duration ttl = tick.multipliedBy(chance.nextInt(8) == 0 ? 30 : chance.nextInt(4, 10));
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(ttl).client(name).build();
        SimLoop callbacks = process.thread("user");
        Client client = Client.start(store, loop, callbacks, options);
        var contenders = new ArrayList<SimContender>();
        for (int i = chance.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
            var contender = new SimContender(invariants, process, callbacks, client, ttl, sim.chance());
            contender.start();
            contenders.add(contender);
        }
        return new Member(process, client, contenders);
    }
}
