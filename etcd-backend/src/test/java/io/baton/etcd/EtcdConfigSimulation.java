package io.baton.etcd;

import io.baton.CoordinatorOptions;
import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** One seeded run of a configuration on a simulated etcd. */
final class EtcdConfigSimulation implements ConfigWorld, SeededRun {

    private static final String ROOT = "/app";
    private static final String RECORDS = ROOT + "/" + SimSpace.TREE + "/";
    private static final String FLEET = ROOT + "/" + SimSpace.TREE + ".fleet/";

    /** Two clocks differ by less than the 1 % that the margin allows. */
    private static final int DRIFT_PPM = 4_500;

    private static final Duration PATIENCE = Duration.ofSeconds(300);

    /** An event that the server has forgotten is found to be missing after 45 s at the latest; there may be several. */
    private static final Duration AUDITED = Duration.ofMinutes(15);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final SimEtcd etcd;
    private final SimSpace space = new SimSpace();
    private final Map<String, SimSpace.Written> records = new TreeMap<>();
    private final boolean forgetful;
    private final EtcdFaults faults;
    private final ConfigRun run;
    private long looked;

    EtcdConfigSimulation(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        Duration electionTimeout = Duration.ofMillis(chance.nextInt(2) == 0 ? 1_000 : 300);
        etcd = new SimEtcd(sim, electionTimeout, chance.nextInt(3) > 0, DRIFT_PPM);
        sim.afterEveryStep(this::look);
        var mixture = new SimFaults(sim);
        forgetful = chance.nextInt(5) == 0;
        var fleet = new EtcdTruth(etcd, FLEET, RECORDS, ROOT + "/.sessions/");
        faults = new EtcdFaults(etcd, fleet, Interventions.NONE, mixture, forgetful);
        run = new ConfigRun(sim, space, mixture, DRIFT_PPM, forgetful ? AUDITED : PATIENCE, this);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run.run();
        run.addTo(totals);
        etcd.counts.addTo(totals);
        return run.eventful();
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    @Override
    public void calm() {
        if (forgetful) {
            faults.deafen();
        }
    }

    @Override
    public void write(Map<String, String> texts) {
        if (etcd.ready()) {
            List<Request> requests = new ArrayList<>();
            texts.forEach((name, text) -> {
                String key = RECORDS + Names.encode(name);
                requests.add(text.isEmpty() ? new Delete(key) : new Put(key, text.getBytes(StandardCharsets.UTF_8), 0));
            });
            etcd.byHand(new Command.Apply(new Txn(List.of(), requests, List.of())));
            look();
        }
    }

    /** Each revision that has come about since the last look is a state. */
    private void look() {
        long now = etcd.decided().revision();
        if (now > looked) {
            for (List<Event> events : etcd.history(looked + 1, now)) {
                events.forEach(this::apply);
                space.committed(events.get(0).revision(), records);
            }
            looked = now;
        }
    }

    private void apply(Event event) {
        if (!event.key().startsWith(RECORDS)) {
            return;
        }
        String name = Names.decode(event.key().substring(RECORDS.length()));
        if (event.deleted()) {
            records.remove(name);
        } else {
            String text = new String(event.value(), StandardCharsets.UTF_8);
            records.put(name, new SimSpace.Written(text, event.revision()));
        }
    }

    @Override
    public LockRun.Client start(SimProcess process, SimLoop loop, SimLoop callbacks) {
        Duration ttl = Duration.ofSeconds(chance.nextInt(1, 7));
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(ttl).client(process.name()).build();
        var store = new SimulatedStore(ROOT, SimEtcdWire.from(process, etcd, loop, FLEET, faults::add));
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks, options);
        return new LockRun.Client(client, ttl, client::closeAsync);
    }
}
