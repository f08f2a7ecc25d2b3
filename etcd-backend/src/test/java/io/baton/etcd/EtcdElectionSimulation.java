package io.baton.etcd;

import io.baton.CoordinatorOptions;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.tck.sim.election.ElectionInvariants;
import io.baton.tck.sim.election.ElectionRun;
import io.baton.tck.sim.lock.LockRun;
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

/** One seeded run of an election on a simulated etcd. */
final class EtcdElectionSimulation implements SeededRun {

    private static final String ROOT = "/app";
    private static final String LINE = ROOT + "/elections/" + ElectionRun.ELECTION + "/";
    private static final String RECORD = ROOT + "/" + LockRun.RECORD.tree() + "/" + LockRun.RECORD.name();

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    /** An event that the server has forgotten is found to be missing after 45 s at the latest; there may be several. */
    private static final Duration AUDITED = Duration.ofMinutes(15);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimEtcd etcd;
    private final ElectionInvariants invariants;
    private final boolean forgetful;
    private final boolean longLives;
    private final EtcdFaults faults;
    private final List<SimForeigner> foreigners = new ArrayList<>();
    private final ElectionRun run;

    EtcdElectionSimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration electionTimeout = Duration.ofMillis(chance.nextInt(2) == 0 ? 1_000 : 300);
        etcd = new SimEtcd(sim, electionTimeout, chance.nextInt(3) > 0, DRIFT_PPM);
        var truth = new EtcdTruth(etcd, LINE, RECORD, ROOT + "/.sessions/");
        invariants = new ElectionInvariants(sim, truth);
        var mixture = new SimFaults(sim);
        // What befalls a leader shows in what outlives an election or two.
        longLives = chance.nextInt(3) < (mixture.lonely() ? 2 : 1);
        forgetful = chance.nextInt(5) == 0;
        faults = new EtcdFaults(etcd, truth, invariants, mixture, forgetful);
        if (chance.nextInt(2) == 0) {
            foreigner("694d8f2a9c3b1e05");
            foreigner("ein/anderer");
        }
        run = new ElectionRun(
                sim, invariants, mixture, DRIFT_PPM, forgetful ? AUDITED : PATIENCE, forgetful, this::client);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run(this::calm);
        run.addTo(totals);
        etcd.counts.addTo(totals);
        return run.eventful();
    }

    private void calm() {
        foreigners.forEach(SimForeigner::stop);
        if (forgetful) {
            faults.deafen();
        }
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void foreigner(String name) {
        var foreigner = new SimForeigner(etcd, LINE + name);
        foreigner.start();
        foreigners.add(foreigner);
    }

    private LockRun.Client client(SimProcess process, SimLoop loop, SimLoop callbacks) {
        Duration ttl = Duration.ofSeconds(longLives ? chance.nextInt(6, 16) : chance.nextInt(1, 7));
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(ttl).client(process.name()).build();
        var store = new SimulatedStore(ROOT, SimEtcdWire.from(process, etcd, loop, LINE, faults::add));
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks, options);
        Duration granted = etcd.leastTtl().compareTo(ttl) > 0 ? etcd.leastTtl() : ttl;
        return new LockRun.Client(client, granted, client::closeAsync);
    }
}
