package io.baton.zookeeper;

import io.baton.CoordinatorOptions;
import io.baton.RecordKey;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Names;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.lock.Interventions;
import io.baton.tck.sim.lock.LockTruth;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
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
import java.util.function.Consumer;

/** A ZooKeeper in one simulated run. */
class SimulatedZooKeeper implements SimulatedStore {

    private static final String CHROOT = "/app";

    private static final RecordKey NO_RECORD = new RecordKey("none", "none");
    private static final byte[] EMPTY = {};
    private static final Duration PATIENCE = Duration.ofSeconds(200);

    /** A watch that a server has forgotten is found to be missing by the audit; there may be several. */
    private static final Duration AUDITED = Duration.ofMinutes(15);

    final Simulation sim;
    final SplittableRandom chance;
    final Duration tick;
    final SimZooKeeper zk;

    /** Whether the numbers of entries are used up in this run. */
    final boolean numbersEnd;

    /** Whether servers answer new sessions before they have caught up. */
    final boolean early;

    private final SimulationKind kind;
    private final boolean forgetful;
    private ZkFaults faults;

    SimulatedZooKeeper(SimulationKind kind, long seed) {
        this.kind = kind;
        sim = new Simulation(seed);
        chance = sim.chance();
        tick = Duration.ofMillis(chance.nextInt(2) == 0 ? 500 : 200);
        int servers = chance.nextInt(5) == 0 ? 1 : 3;
        zk = new SimZooKeeper(sim, servers, tick, chance.nextInt(3, 10), DRIFT_PPM);
        boolean inLine = kind != SimulationKind.CONFIG && kind != SimulationKind.RECORDS;
        numbersEnd = inLine && chance.nextInt(6) == 0;
        if (numbersEnd) {
            int end = chance.nextBoolean() ? Integer.MAX_VALUE : (int) EntryName.LAST_SAFE;
            zk.numberFrom(end - chance.nextInt(60));
        }
        early = kind == SimulationKind.RECORDS && chance.nextInt(2) == 0;
        if (early) {
            zk.admitEarly();
        }
        // A configuration that is told after a lost event need not be whole until the audit, as RECORDS show.
        boolean mayForget = kind != SimulationKind.CONFIG && kind != SimulationKind.STANDBYS;
        forgetful = mayForget && chance.nextInt(5) == 0;
    }

    @Override
    public final Simulation sim() {
        return sim;
    }

    @Override
    public final ZkTruth truth(String line, RecordKey record) {
        return truth(Line.of(line), record);
    }

    /** What the servers have decided of a line alone. */
    final ZkTruth truth(String line) {
        return truth(line, NO_RECORD);
    }

    /** What the servers have decided of a line of any kind, and of a record. */
    final ZkTruth truth(Line line, RecordKey record) {
        return new ZkTruth(zk, CHROOT + "/" + line.path(), Naming.of(line), path(record.tree()) + "/" + record.name());
    }

    @Override
    public final void addFaults(SimFaults mixture, String line, Interventions judge) {
        faults = new ZkFaults(sim, zk, truth(line), judge, mixture, forgetful);
    }

    final ZkFaults faults() {
        return faults;
    }

    @Override
    public final boolean forgetful() {
        return forgetful;
    }

    @Override
    public final Duration patience() {
        return forgetful ? AUDITED : PATIENCE;
    }

    @Override
    public Client start(SimProcess process, SimLoop loop, SimLoop callbacks) {
        boolean lock = kind.contends();
        // Rarely are there more requests of one client than any window lets through.
        int window = lock && chance.nextInt(3) == 0 ? 1 : RequestWindow.SIZE;
        // Now and then more than the servers grant, which is 20 ticks.
        Duration ttl = tick.multipliedBy(chance.nextInt(8) == 0 ? 30 : chance.nextInt(4, 16));
        boolean rejoin = lock && chance.nextBoolean();
        DefaultCoordinator client = client(process, loop, callbacks, window, ttl, rejoin);
        return new Client(client, ttl, client::closeAsync);
    }

    final DefaultCoordinator client(
            SimProcess process, SimLoop loop, SimLoop callbacks, int window, Duration ttl, boolean rejoin) {
        var address = new ZkAddress("simulated", CHROOT, tick);
        var store = new ShownSessions(
                new ZkStore(address, any -> SimZkWire.from(process, zk, loop, this::opened), window), this::opened);
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(ttl)
                .client(process.name())
                .rejoin(rejoin)
                .build();
        return DefaultCoordinator.start(store, loop, callbacks, options);
    }

    /** A client has another wire. */
    void opened(SimZkWire wire) {
        faults.add(wire);
    }

    /** A client has another session. */
    void opened(ZkSession session) {}

    @Override
    public void calm() {}

    @Override
    public final void follow(String tree, States states) {
        zk.afterEachCommit(() -> states.committed(zk.committedZxid(), records(path(tree))));
    }

    private Map<String, LockTruth.Written> records(String root) {
        Map<String, LockTruth.Written> records = new TreeMap<>();
        Znode node = zk.committed().find(root);
        if (node != null) {
            for (String child : node.children()) {
                Znode record = zk.committed().find(root + "/" + child);
                String text = new String(record.data(), StandardCharsets.UTF_8);
                records.put(Names.decode(child), new LockTruth.Written(text, record.mzxid()));
            }
        }
        return records;
    }

    @Override
    public final void write(String tree, Map<String, String> texts) {
        if (zk.ready()) {
            List<ZkOp> ops = new ArrayList<>();
            for (String path : List.of(CHROOT, path(tree))) {
                if (!isThere(path)) {
                    ops.add(new ZkOp.Create(path, EMPTY));
                }
            }
            texts.forEach((name, text) -> {
                String path = path(tree) + "/" + Names.encode(name);
                byte[] data = text.getBytes(StandardCharsets.UTF_8);
                if (!text.isEmpty()) {
                    ops.add(isThere(path) ? new ZkOp.Write(path, data, -1) : new ZkOp.Create(path, data));
                } else if (isThere(path)) {
                    ops.add(new ZkOp.Delete(path, -1));
                }
            });
            zk.reign().byHand(new SimRequest.Multi(ops), SimZkTxn.NOTHING);
        }
    }

    private boolean isThere(String path) {
        return zk.reign().head().find(path) != null;
    }

    static String path(String tree) {
        return CHROOT + "/" + tree;
    }

    @Override
    public final void addTo(Map<String, Long> totals) {
        zk.addTo(totals);
    }

    /** A store that shows each session that it opens. */
    private record ShownSessions(ZkStore store, Consumer<ZkSession> opened) implements Store {

        @Override
        public Guarantees guarantees() {
            return store.guarantees();
        }

        @Override
        public void check(Line line) {
            store.check(line);
        }

        @Override
        public Session open(SessionSpec spec, Loop loop, SessionListener to) {
            var session = (ZkSession) store.open(spec, loop, to);
            opened.accept(session);
            return session;
        }
    }
}
