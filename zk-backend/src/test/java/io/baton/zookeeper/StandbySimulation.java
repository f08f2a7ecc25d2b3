package io.baton.zookeeper;

import io.baton.CoordinatorOptions;
import io.baton.election.ActiveStandby;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.tck.sim.election.StandbyInvariants;
import io.baton.tck.sim.election.StandbyRun;
import io.baton.tck.sim.lock.LockRun;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import io.baton.zookeeper.wire.ZkAddress;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;

/** One seeded run of active and standby nodes on a simulated ZooKeeper. */
final class StandbySimulation implements SeededRun {

    private static final String CHROOT = "/app";
    private static final String LINE = CHROOT + "/elections/" + StandbyRun.ELECTION;
    private static final String BREADCRUMB = CHROOT + "/" + ActiveStandby.BREADCRUMBS + "/" + StandbyRun.ELECTION;

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final Duration tick;
    private final SimZooKeeper zk;
    private final ZkFaults faults;
    private final StandbyRun run;

    StandbySimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        tick = Duration.ofMillis(chance.nextInt(2) == 0 ? 500 : 200);
        int servers = chance.nextInt(5) == 0 ? 1 : 3;
        zk = new SimZooKeeper(sim, servers, tick, chance.nextInt(3, 10), DRIFT_PPM);
        if (chance.nextInt(6) == 0) {
            int end = chance.nextBoolean() ? Integer.MAX_VALUE : (int) EntryName.LAST_SAFE;
            zk.numberFrom(end - chance.nextInt(60));
        }
        var truth = new ZkTruth(zk, LINE, BREADCRUMB);
        var invariants = new StandbyInvariants(sim, truth);
        var mixture = new SimFaults(sim);
        faults = new ZkFaults(sim, zk, truth, invariants, mixture, false);
        run = new StandbyRun(sim, invariants, mixture, DRIFT_PPM, PATIENCE, this::client);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run(() -> {});
        run.addTo(totals);
        zk.addTo(totals);
        return run.eventful();
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private LockRun.Client client(SimProcess process, SimLoop loop, SimLoop callbacks) {
        var address = new ZkAddress("simulated", CHROOT, tick);
        var store = new ZkStore(address, any -> SimZkWire.from(process, zk, loop, faults::add));
        // Now and then more than the servers grant, which is 20 ticks.
        Duration ttl = tick.multipliedBy(chance.nextInt(8) == 0 ? 30 : chance.nextInt(4, 16));
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(ttl).client(process.name()).build();
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks, options);
        return new LockRun.Client(client, ttl, client::closeAsync);
    }
}
