package io.baton.etcd;

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
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;

/** One seeded run of active and standby nodes on a simulated etcd. */
final class EtcdStandbySimulation implements SeededRun {

    private static final String ROOT = "/app";
    private static final String LINE = ROOT + "/elections/" + StandbyRun.ELECTION + "/";
    private static final String BREADCRUMB = ROOT + "/" + ActiveStandby.BREADCRUMBS + "/" + StandbyRun.ELECTION;

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimEtcd etcd;
    private final boolean longLives;
    private final EtcdFaults faults;
    private final StandbyRun run;

    EtcdStandbySimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration electionTimeout = Duration.ofMillis(chance.nextInt(2) == 0 ? 1_000 : 300);
        etcd = new SimEtcd(sim, electionTimeout, chance.nextInt(3) > 0, DRIFT_PPM);
        var truth = new EtcdTruth(etcd, LINE, BREADCRUMB, ROOT + "/.sessions/");
        var invariants = new StandbyInvariants(sim, truth);
        var mixture = new SimFaults(sim);
        // What befalls a leader shows in what outlives an election or two.
        longLives = chance.nextInt(3) < (mixture.lonely() ? 2 : 1);
        faults = new EtcdFaults(etcd, truth, invariants, mixture, false);
        run = new StandbyRun(sim, invariants, mixture, DRIFT_PPM, PATIENCE, this::client);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run(() -> {});
        run.addTo(totals);
        etcd.counts.addTo(totals);
        return run.eventful();
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private LockRun.Client client(SimProcess process, SimLoop loop, SimLoop callbacks) {
        Duration ttl = Duration.ofSeconds(longLives ? chance.nextInt(6, 16) : chance.nextInt(1, 7));
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(ttl).client(process.name()).build();
        var store = new SimulatedStore(ROOT, SimEtcdWire.from(process, etcd, loop, LINE, faults::add));
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks, options);
        return new LockRun.Client(client, ttl, client::closeAsync);
    }
}
