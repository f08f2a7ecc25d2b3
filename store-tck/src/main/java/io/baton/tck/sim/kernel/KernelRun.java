package io.baton.tck.sim.kernel;

import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.Peer;
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
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One seeded run of some clients whose sessions stand on {@link SimStepWire}. They contend in three lines of different
 * kinds, write and follow records, while the server and the clients are in trouble. Then all is well, and everything has
 * to settle.
 *
 * <p>Of those that are granted and whose proofs have not run out, an exclusive one is alone in its line, and permits are
 * not exceeded. Tokens rise. An answered transaction was applied exactly once, one that was said not to be applied never.
 * In the end every call is answered, no entry is left, and followers know what the server has.
 */
public final class KernelRun implements SeededRun {

    static final List<Line> LINES = List.of(
            Line.of("locks/a"), Line.of("locks/b", Line.Kind.READ_WRITE), Line.of("permits/c", Line.Kind.PERMITS));

    /** The number of permits of a line of that kind. */
    static final int PERMITS = 3;

    /** The shortest ttl. */
    static final Duration TTL = Duration.ofSeconds(2);

    private static final int CLIENTS = 4;
    private static final Duration TROUBLE = Duration.ofSeconds(20);

    /**
     * The longest freeze, the ttl of the dead, quiet after the last fail-over, and those that wait for all of them; or a
     * second attach without an answer, which is given up after 20 s.
     */
    private static final Duration CALM = Duration.ofSeconds(22);

    /** Whoever has joined before this part of the calm has been served at its end. */
    static final Duration PATIENCE = Duration.ofSeconds(16);

    private static final Duration END = Duration.ofSeconds(6);

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    final StepServer server;
    final SplittableRandom chance;
    private final List<KernelClient> clients = new ArrayList<>();
    private final Map<String, Long> newestExclusive = new HashMap<>();
    private final Map<String, Long> newestShared = new HashMap<>();
    private String broken = "";
    private int started;

    /** Creates the run with this seed; it has not started. */
    public KernelRun(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        server = new StepServer(sim, counts);
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        sim.afterEveryStep(this::check);
        for (int i = 0; i < CLIENTS; i++) {
            start();
        }
        disturbLater();
        sim.runFor(TROUBLE);
        server.trouble = false;
        lastTrouble();
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
        switch (chance.nextInt(13)) {
            case 0 -> {
                server.failOver();
                if (chance.nextInt(3) == 0) {
                    sim.after(Duration.ofMillis(chance.nextInt(3_000)), () -> {
                        if (server.trouble) {
                            server.failOver();
                        }
                    });
                }
            }
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
            case 7 -> {
                if (chance.nextInt(3) == 0) {
                    client.close();
                }
            }
            default -> {
                counts.add("contacts broken");
                client.breakContact();
            }
        }
    }

    /** What is cut off by this is not made good by what comes later. Contacts that break now are told of it. */
    private void lastTrouble() {
        switch (chance.nextInt(4)) {
            case 0 -> server.failOver();
            case 1 -> clients.forEach(KernelClient::breakContact);
            default -> {} // what a lost event would have said is not found by an attach
        }
    }

    // ---- rules

    private void check() {
        sim.check(broken.isEmpty(), broken);
        for (int i = 0; i < LINES.size(); i++) {
            checkHolds(i);
        }
    }

    private void checkHolds(int line) {
        int granted = 0;
        for (KernelClient client : clients) {
            granted += client.contender(line).held() == null ? 0 : 1;
        }
        if (granted < 2) {
            return;
        }
        int holders = 0;
        int permits = 0;
        boolean exclusive = false;
        for (KernelClient client : clients) {
            StepContender contender = client.contender(line);
            if (contender.holds()) {
                holders++;
                permits += contender.claim().permits();
                exclusive |= contender.excludes();
            }
        }
        sim.check(
                (holders < 2 || !exclusive) && permits <= PERMITS,
                () -> LINES.get(line) + " is held by "
                        + clients.stream()
                                .filter(client -> client.contender(line).holds())
                                .map(client -> client.name)
                                .toList());
    }

    /** As {@link Simulation#check}, for the completions of futures, which may not throw. */
    void expect(boolean claim, Supplier<String> otherwise) {
        if (!claim && broken.isEmpty()) {
            broken = otherwise.get();
        }
    }

    /** An entry has been granted, and its session is proven. Conflicting claims have rising tokens. */
    void granted(Peer peer) {
        counts.add("grants: " + peer.claim().mode());
        if (peer.claim().mode() != Claim.Mode.PERMITS) {
            String path = peer.line().path();
            long token = peer.order();
            long exclusive = newestExclusive.getOrDefault(path, 0L);
            boolean reader = peer.claim().equals(Claim.SHARED);
            long before = reader ? exclusive : Math.max(exclusive, newestShared.getOrDefault(path, 0L));
            sim.check(token > before, () -> "token " + token + " was granted after " + before);
            (reader ? newestShared : newestExclusive).merge(path, token, Math::max);
        }
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
}
