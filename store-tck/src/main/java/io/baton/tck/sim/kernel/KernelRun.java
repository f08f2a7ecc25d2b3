package io.baton.tck.sim.kernel;

import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One seeded run of some clients whose sessions stand on {@link SimStepWire}. They contend for two locks, write and
 * follow records, while the server and the clients are in trouble. Then all is well, and everything has to settle.
 *
 * <p>Of a line, at most one client is clear with a proof that has not run out. Tokens rise. An answered transaction was
 * applied exactly once, one that was said not to be applied never. In the end no entry is left, and followers know what
 * the server has.
 */
public final class KernelRun implements SeededRun {

    static final List<Line> LINES = List.of(Line.of("locks/a"), Line.of("locks/b"));
    static final Duration TTL = Duration.ofSeconds(2);

    private static final int CLIENTS = 4;
    private static final Duration TROUBLE = Duration.ofSeconds(20);

    /** The longest freeze, the ttl of the dead, quiet after the last fail-over, and those that wait for all of them. */
    private static final Duration CALM = Duration.ofSeconds(20);

    /** Whoever has joined before this part of the calm has been served at its end. */
    static final Duration PATIENCE = Duration.ofSeconds(16);

    private static final Duration END = Duration.ofSeconds(6);

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    final StepServer server;
    final SplittableRandom chance;
    private final List<KernelClient> clients = new ArrayList<>();
    private final Map<String, Long> newest = new HashMap<>();
    private int started;

    /** Creates the run with this seed; it has not started. */
    public KernelRun(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        server = new StepServer(sim, counts);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        sim.afterEveryStep(this::atMostOneHolds);
        for (int i = 0; i < CLIENTS; i++) {
            start();
        }
        disturbLater();
        sim.runFor(TROUBLE);
        server.trouble = false;
        sim.runFor(CALM);
        clients.forEach(KernelClient::checkProgress);
        clients.forEach(KernelClient::stop);
        sim.runFor(END);
        judge();
        counts.add("steps", sim.steps());
        counts.addTo(totals);
        return true;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void start() {
        var client = new KernelClient(this, "client" + started++);
        clients.add(client);
        client.open();
    }

    // ---- faults

    private void disturbLater() {
        sim.after(Duration.ofMillis(100 + chance.nextInt(1_500)), () -> {
            if (server.trouble) {
                disturb();
                disturbLater();
            }
        });
    }

    private void disturb() {
        KernelClient client = clients.get(chance.nextInt(clients.size()));
        switch (chance.nextInt(12)) {
            case 0 -> server.failOver();
            case 1 -> server.stepClock(Duration.ofMillis(chance.nextLong(-3_600_000, 3_600_000)));
            case 2 -> {
                counts.add("server frozen");
                Duration time = Duration.ofMillis(chance.nextInt(4_000));
                clients.forEach(each -> each.hold(time));
            }
            case 3 -> server.removeByHand();
            case 4 -> {
                counts.add("clients frozen");
                client.process.freeze(Duration.ofMillis(chance.nextInt(6_000)));
            }
            case 5 -> {
                counts.add("clients suspended");
                client.process.suspend(Duration.ofMillis(chance.nextInt(6_000)));
            }
            case 6 -> {
                if (chance.nextInt(3) == 0) {
                    counts.add("clients killed");
                    client.process.kill();
                    clients.remove(client);
                    start();
                }
            }
            default -> {
                counts.add("contacts broken");
                client.breakContact();
            }
        }
    }

    // ---- rules

    private void atMostOneHolds() {
        for (Line line : LINES) {
            String holder = "";
            for (KernelClient client : clients) {
                if (client.holds(line)) {
                    String other = holder;
                    sim.check(other.isEmpty(), () -> line + " is held by " + other + " and " + client.name);
                    holder = client.name;
                }
            }
        }
    }

    /** An entry has become clear, and its session is proven. */
    void granted(Entry entry) {
        counts.add("grants");
        String path = entry.peer().line().path();
        long before = newest.getOrDefault(path, 0L);
        sim.check(entry.token() > before, () -> "token " + entry.token() + " was granted after " + before);
        newest.put(path, entry.token());
    }

    private void judge() {
        LINES.forEach(line -> sim.check(
                server.state().line(line).isEmpty(),
                () -> "left in " + line + ": " + server.state().line(line)));
        Set<String> applied = new HashSet<>();
        server.log().forEach(text -> sim.check(applied.add(text), () -> text + " was applied more than once"));
        clients.forEach(KernelClient::judge);
    }

    boolean isApplied(String text) {
        return server.log().contains(text);
    }

    Optional<Entry> firstOf(Line line) {
        return Optional.ofNullable(server.state().first(line));
    }
}
