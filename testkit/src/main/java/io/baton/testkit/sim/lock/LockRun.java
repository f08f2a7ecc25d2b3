package io.baton.testkit.sim.lock;

import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * One seeded run: three clients contend on one lock while faults happen; then the faults stop, everybody must be
 * granted once more, everybody stops, and nothing may be left over.
 */
public final class LockRun {

    /** The lock that is contended for. */
    public static final String LOCK = "orders";

    /** The record that is written under it. */
    public static final RecordKey RECORD = new RecordKey("stock", "item");

    private static final int CLIENTS = 3;
    private static final int LEAST_GRANTS = 5;
    private static final int LEAST_FAULTS = 2;
    private static final Duration FAULTS = Duration.ofSeconds(40);
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** What a killed client sent last may be applied late, and lives as long as its session. */
    private static final Duration SETTLING_OF_THE_DEAD = Duration.ofSeconds(30);

    private final Simulation sim;
    private final SplittableRandom chance;
    private final LockInvariants invariants;
    private final SimFaults faults;
    private final int driftPpm;
    private final Duration patience;
    private final Clients clients;
    private final List<Member> members = new ArrayList<>();
    private final List<SimContender> closing = new ArrayList<>();
    private int kills;
    private int closes;

    /** Makes coordinators of the store. */
    public interface Clients {
        /** One that runs on this loop and calls back on the other. */
        Client start(SimProcess process, SimLoop loop, SimLoop callbacks);
    }

    /**
     * A coordinator.
     *
     * @param ttl the session timeout that it asks for
     * @param close begins to close it
     */
    public record Client(Coordinator coordinator, Duration ttl, Runnable close) {}

    /** A client, where it runs, and who uses it. */
    private record Member(SimProcess process, Client client, List<SimContender> contenders) {}

    /**
     * A run that has not begun.
     *
     * @param driftPpm how many millionths the clients' clocks may run too fast or too slow
     * @param patience how long it may take until everybody has been granted once more
     */
    public LockRun(
            Simulation sim,
            LockInvariants invariants,
            SimFaults faults,
            int driftPpm,
            Duration patience,
            Clients clients) {
        this.sim = sim;
        this.chance = sim.chance();
        this.invariants = invariants;
        this.faults = faults;
        this.driftPpm = driftPpm;
        this.patience = patience;
        this.clients = clients;
        for (int i = 0; i < CLIENTS; i++) {
            members.add(member("client" + i));
        }
        sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
    }

    /** Runs it all; {@code calm} is called when the faults stop, {@code settled} when everybody has stopped. */
    public void run(Runnable calm, Runnable settled) {
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        calm.run();
        sim.note("test", "no more faults");
        Map<SimContender, Integer> before = new LinkedHashMap<>();
        members.forEach(member -> member.contenders.forEach(each -> before.put(each, each.grants())));
        await(
                "everybody is granted again",
                () -> before.entrySet().stream().allMatch(each -> each.getKey().grants() > each.getValue()));
        sim.note("test", "everybody stops");
        before.keySet().forEach(SimContender::stop);
        closing.addAll(before.keySet());
        await("everybody is answered", () -> closing.stream().allMatch(SimContender::idle));
        sim.runFor(kills == 0 ? SETTLING : SETTLING_OF_THE_DEAD);
        invariants.checkEnd();
        settled.run();
        members.forEach(member -> member.client.close().run());
        sim.runUntilQuiet(Duration.ofSeconds(30));
    }

    /** Whether enough has happened to call it a test: five grants and two faults. */
    public boolean eventful() {
        return invariants.grants() >= LEAST_GRANTS && faults.faults() >= LEAST_FAULTS;
    }

    /** Adds how often what has happened. */
    public void addTo(Map<String, Long> totals) {
        totals.merge("faults", faults.faults(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        totals.merge("grants", (long) invariants.grants(), Long::sum);
        totals.merge("losses", invariants.losses(), Long::sum);
        totals.merge("writes", invariants.writes(), Long::sum);
        totals.merge("refused writes", invariants.refusedWrites(), Long::sum);
        totals.merge("freezes", faults.freezes(), Long::sum);
        totals.merge("suspends", faults.suspends(), Long::sum);
        totals.merge("clients killed", (long) kills, Long::sum);
        totals.merge("clients closed", (long) closes, Long::sum);
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(200));
        }
    }

    /** One client goes, by closing or by dying, and another comes. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(members.size()));
        if (chance.nextBoolean()) {
            sim.note("test", going.process.name() + " closes");
            closes++;
            going.contenders.forEach(SimContender::stop);
            closing.addAll(going.contenders);
            going.client.close().run();
        } else {
            going.process.kill();
            kills++;
        }
        members.add(member("newcomer"));
    }

    private Member member(String name) {
        var process = new SimProcess(sim, name, driftPpm);
        faults.add(process);
        SimLoop callbacks = process.thread("user");
        Client client = clients.start(process, process.thread("loop"), callbacks);
        var contenders = new ArrayList<SimContender>();
        for (int i = chance.nextInt(4) == 0 ? 2 : 1; i > 0; i--) {
            var contender =
                    new SimContender(invariants, process, callbacks, client.coordinator(), client.ttl(), sim.chance());
            contender.start();
            contenders.add(contender);
        }
        return new Member(process, client, contenders);
    }
}
