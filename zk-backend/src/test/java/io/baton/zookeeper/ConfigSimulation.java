package io.baton.zookeeper;

import io.baton.CoordinatorOptions;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.Names;
import io.baton.tck.sim.config.ConfigRun;
import io.baton.tck.sim.config.ConfigWorld;
import io.baton.tck.sim.config.SimSpace;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.LockRun;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.wire.ZkAddress;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** One seeded run of a configuration on a simulated ZooKeeper. */
final class ConfigSimulation implements ConfigWorld, SeededRun {

    private static final String CHROOT = "/app";
    private static final String ROOT = CHROOT + "/" + SimSpace.TREE;
    private static final byte[] EMPTY = {};

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    private static final Duration PATIENCE = Duration.ofSeconds(200);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final Duration tick;
    private final SimZooKeeper zk;
    private final SimSpace space = new SimSpace();
    private final ZkFaults faults;
    private final ConfigRun run;

    ConfigSimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        tick = Duration.ofMillis(chance.nextInt(2) == 0 ? 500 : 200);
        int servers = chance.nextInt(5) == 0 ? 1 : 3;
        zk = new SimZooKeeper(sim, servers, tick, chance.nextInt(3, 10), DRIFT_PPM);
        zk.afterEachCommit(() -> space.committed(zk.committedZxid(), records()));
        var mixture = new SimFaults(sim);
        var fleet = new ZkTruth(zk, CHROOT + "/" + SimSpace.TREE + ".fleet", ROOT);
        // No server forgets a watch: what is told after that need not be whole until the audit, as followers of records
        // show.
        faults = new ZkFaults(sim, zk, fleet, Interventions.NONE, mixture, false);
        run = new ConfigRun(sim, space, mixture, DRIFT_PPM, PATIENCE, this);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run();
        run.addTo(totals);
        zk.addTo(totals);
        return run.eventful();
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    @Override
    public void calm() {}

    @Override
    public void write(Map<String, String> texts) {
        if (zk.ready()) {
            List<ZkOp> ops = new ArrayList<>();
            for (String path : List.of(CHROOT, ROOT)) {
                if (zk.reign().head().find(path) == null) {
                    ops.add(new ZkOp.Create(path, EMPTY));
                }
            }
            texts.forEach((name, text) -> {
                String path = ROOT + "/" + Names.encode(name);
                boolean there = zk.reign().head().find(path) != null;
                byte[] data = text.getBytes(StandardCharsets.UTF_8);
                if (!text.isEmpty()) {
                    ops.add(there ? new ZkOp.Write(path, data, -1) : new ZkOp.Create(path, data));
                } else if (there) {
                    ops.add(new ZkOp.Delete(path, -1));
                }
            });
            zk.reign().byHand(new SimRequest.Multi(ops), SimZkTxn.NOTHING);
        }
    }

    private Map<String, SimSpace.Written> records() {
        Map<String, SimSpace.Written> records = new TreeMap<>();
        Znode root = zk.committed().find(ROOT);
        if (root != null) {
            for (String child : root.children()) {
                Znode node = zk.committed().find(ROOT + "/" + child);
                String text = new String(node.data(), StandardCharsets.UTF_8);
                records.put(Names.decode(child), new SimSpace.Written(text, node.mzxid()));
            }
        }
        return records;
    }

    @Override
    public LockRun.Client start(SimProcess process, SimLoop loop, SimLoop callbacks) {
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
