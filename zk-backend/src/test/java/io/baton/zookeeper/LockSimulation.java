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
import java.util.List;
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
    private static final int MOST_TICKS = 10;
    private static final int DRIFT_PPM = 2_000;
    private static final Duration FAULTS = Duration.ofSeconds(40);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimZooKeeper zk;
    private final LockInvariants invariants;
    private final SimFaults faults;
    private final List<Client> clients = new ArrayList<>();
    private final List<SimContender> contenders = new ArrayList<>();

    LockSimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration tick = Duration.ofMillis(chance.nextInt(2) == 0 ? 500 : 200);
        int servers = chance.nextInt(3) == 0 ? 1 : 3;
        zk = new SimZooKeeper(sim, servers, tick, chance.nextInt(4, 9));
        String record = CHROOT + "/" + RECORD.tree() + "/" + RECORD.name();
        invariants = new LockInvariants(sim, zk, tick.multipliedBy(MOST_TICKS), LINE, record);
        faults = new SimFaults(sim, zk, LINE, invariants);
        for (int i = 0; i < CLIENTS; i++) {
            addClient("client" + i, tick);
        }
    }

    /** What a run was made of. */
    record Totals(SimCounts zk, long grants, long losses, long writes, long refusedWrites, SimFaults faults, long steps) {}

    Totals run() {
        contenders.forEach(SimContender::start);
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        sim.note("test", "no more faults");
        List<Integer> before = contenders.stream().map(SimContender::grants).toList();
        await("everybody is granted again", () -> {
            for (int i = 0; i < contenders.size(); i++) {
                if (contenders.get(i).grants() == before.get(i)) {
                    return false;
                }
            }
            return true;
        });
        sim.note("test", "everybody stops");
        contenders.forEach(SimContender::stop);
        await("everybody is answered", () -> contenders.stream().allMatch(SimContender::idle));
        sim.runFor(SETTLING);
        invariants.checkEnd();
        clients.forEach(Client::closeAsync);
        sim.runUntilQuiet(Duration.ofSeconds(30));
        return new Totals(
                zk.counts,
                invariants.grants(),
                invariants.losses(),
                invariants.writes(),
                invariants.refusedWrites(),
                faults,
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

    private void addClient(String name, Duration tick) {
        var process = new SimProcess(sim, name, DRIFT_PPM);
        faults.add(process);
        SimLoop loop = process.thread("loop");
        var address = new ZkAddress("simulated", CHROOT, tick);
        var store = new ZkStore(address, any -> SimZkWire.from(process, zk, loop, faults::add));
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(tick.multipliedBy(chance.nextInt(4, MOST_TICKS)))
                .client(name)
                .build();
        int contendersHere = chance.nextInt(4) == 0 ? 2 : 1;
        SimLoop callbacks = process.thread("user");
        Client client = Client.start(store, loop, callbacks, options);
        clients.add(client);
        for (int i = 0; i < contendersHere; i++) {
            contenders.add(new SimContender(invariants, process, callbacks, client, sim.chance()));
        }
    }
}
