package io.baton.etcd;

import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.RecordKey;
import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/** An etcd in one simulated run. */
class SimulatedEtcd implements SimulatedStore {

    private static final String ROOT = "/app";
    private static final RecordKey NO_RECORD = new RecordKey("none", "none");
    private static final Duration PATIENCE = Duration.ofSeconds(300);

    /** An event that the server has forgotten is found to be missing after 45 s at the latest; there may be several. */
    private static final Duration AUDITED = Duration.ofMinutes(15);

    final Simulation sim;
    final SplittableRandom chance;
    final SimEtcd etcd;
    private final SimulationKind kind;
    private final List<SimForeigner> foreigners = new ArrayList<>();
    private String line = "";
    private boolean longLives;
    private boolean forgetful;
    private EtcdFaults faults;
    private Runnable look = () -> {};

    SimulatedEtcd(SimulationKind kind, long seed) {
        this.kind = kind;
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration electionTimeout = Duration.ofMillis(chance.nextInt(2) == 0 ? 1_000 : 300);
        etcd = new SimEtcd(sim, electionTimeout, chance.nextInt(3) > 0, DRIFT_PPM);
    }

    @Override
    public final Simulation sim() {
        return sim;
    }

    @Override
    public final EtcdTruth truth(String of, RecordKey record) {
        return truth(Line.of(of), record);
    }

    /** What the servers have decided of a line of any kind, and of a record. */
    final EtcdTruth truth(Line of, RecordKey record) {
        String key = prefix(record.tree()) + record.name();
        return new EtcdTruth(etcd, prefix(of.path()), of.kind(), key, prefix(".sessions"));
    }

    /** What the servers have decided of a line alone. */
    final EtcdTruth truth(String of) {
        return truth(of, NO_RECORD);
    }

    /** How the keys of a line, or of a tree, begin. */
    static String prefix(String of) {
        return ROOT + "/" + of + "/";
    }

    @Override
    public final void addFaults(SimFaults mixture, String of, Interventions judge) {
        draw(mixture);
        disturb(mixture, of, judge);
    }

    /** Draws what depends on the mixture of faults. */
    final void draw(SimFaults mixture) {
        boolean inLine = kind != SimulationKind.CONFIG && kind != SimulationKind.RECORDS;
        // What befalls a leader shows in what outlives an election or two.
        longLives = inLine && chance.nextInt(3) < (mixture.lonely() ? 2 : 1);
        forgetful = kind != SimulationKind.STANDBYS && chance.nextInt(5) == 0;
    }

    /** Adds faults, and in some runs other programs that stand in the line, once that has been drawn. */
    final void disturb(SimFaults mixture, String of, Interventions judge) {
        disturb(mixture, Line.of(of), judge);
    }

    /** As {@link #disturb(SimFaults, String, Interventions)}, for a line of any kind. */
    final void disturb(SimFaults mixture, Line of, Interventions judge) {
        line = prefix(of.path());
        faults = new EtcdFaults(etcd, truth(of, NO_RECORD), judge, mixture, forgetful);
        boolean others = kind == SimulationKind.LOCKS || kind == SimulationKind.ELECTIONS;
        if (others && chance.nextInt(2) == 0) {
            foreigner("694d8f2a9c3b1e05");
            foreigner("ein/anderer");
        }
    }

    private void foreigner(String name) {
        var foreigner = new SimForeigner(etcd, line + name);
        foreigner.start();
        foreigners.add(foreigner);
    }

    final EtcdFaults faults() {
        return faults;
    }

    @Override
    public final boolean forgetful() {
        return forgetful;
    }

    /** Whether sessions live for long in this run. */
    final boolean longLives() {
        return longLives;
    }

    @Override
    public final Duration patience() {
        return forgetful ? AUDITED : PATIENCE;
    }

    @Override
    public Client start(SimProcess process, SimLoop loop, SimLoop callbacks) {
        Duration ttl = Duration.ofSeconds(longLives ? chance.nextInt(6, 16) : chance.nextInt(1, 7));
        boolean lock = kind.contends();
        boolean rejoin = lock && chance.nextBoolean();
        DefaultCoordinator client = client(process, loop, callbacks, ttl, rejoin);
        // The limits of a node follow from what it asks for.
        boolean more = kind != SimulationKind.STANDBYS && etcd.leastTtl().compareTo(ttl) > 0;
        return new Client(client, more ? etcd.leastTtl() : ttl, client::closeAsync);
    }

    final DefaultCoordinator client(SimProcess process, SimLoop loop, SimLoop callbacks, Duration ttl, boolean rejoin) {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(ttl)
                .client(process.name())
                .rejoin(rejoin)
                .build();
        EtcdWire.Factory wires = SimEtcdWire.from(process, etcd, loop, journalled(), this::opened);
        return DefaultCoordinator.start(new ClientStore(wires, this::opened), loop, callbacks, options);
    }

    /** How the keys begin whose watches are counted. */
    String journalled() {
        return line;
    }

    /** A client has another wire. */
    void opened(SimEtcdWire wire) {
        faults.add(wire);
    }

    /** A client has another session. */
    void opened(EtcdSession session) {}

    @Override
    public void calm() {
        foreigners.forEach(SimForeigner::stop);
        if (forgetful) {
            faults.deafen();
        }
    }

    @Override
    public final void follow(String tree, States states) {
        look = new Followed(tree, states)::look;
        sim.afterEveryStep(look);
    }

    @Override
    public final void write(String tree, Map<String, String> texts) {
        if (etcd.ready()) {
            List<Request> requests = new ArrayList<>();
            texts.forEach((name, text) -> {
                String key = prefix(tree) + Names.encode(name);
                requests.add(text.isEmpty() ? new Delete(key) : new Put(key, text.getBytes(StandardCharsets.UTF_8), 0));
            });
            etcd.byHand(new Command.Apply(new Txn(List.of(), requests, List.of())));
            look.run();
        }
    }

    @Override
    public final void addTo(Map<String, Long> totals) {
        etcd.counts.addTo(totals);
    }

    /** A tree, each revision of which is a state. */
    private final class Followed {

        private final String prefix;
        private final States states;
        private final Map<String, LockTruth.Written> records = new TreeMap<>();
        private long looked;

        Followed(String tree, States states) {
            this.prefix = prefix(tree);
            this.states = states;
        }

        /** For revisions that have come about since the last look. */
        void look() {
            long now = etcd.decided().revision();
            if (now > looked) {
                for (List<Event> events : etcd.history(looked + 1, now)) {
                    events.stream()
                            .filter(event -> event.key().startsWith(prefix))
                            .forEach(this::apply);
                    states.committed(events.get(0).revision(), records);
                }
                looked = now;
            }
        }

        private void apply(Event event) {
            String name = Names.decode(event.key().substring(prefix.length()));
            if (event.deleted()) {
                records.remove(name);
            } else {
                String text = new String(event.value(), StandardCharsets.UTF_8);
                records.put(name, new LockTruth.Written(text, event.revision()));
            }
        }
    }

    /**
     * The real policy on simulated wires, as one client has it.
     *
     * @param wires to the simulated servers
     * @param opened told of each session
     */
    private record ClientStore(EtcdWire.Factory wires, Consumer<EtcdSession> opened) implements Store {

        @Override
        public Guarantees guarantees() {
            return Guarantees.ofQuorum(LiveEtcdStore.MAX_OPS, LiveEtcdStore.MAX_BYTES, LiveEtcdStore.EXPIRY_LAG);
        }

        @Override
        public void check(Line line) {
            if (!line.dialect().equals(Dialect.BATON)) {
                throw new IllegalArgumentException("not here: " + line);
            }
        }

        @Override
        public Session open(SessionSpec spec, Loop loop, SessionListener to) {
            var address = new EtcdAddress(List.of(), ROOT, false);
            var session = new EtcdSession(address, spec, Timing.of(spec.ttl()), loop, wires, to);
            opened.accept(session);
            return session;
        }
    }
}
