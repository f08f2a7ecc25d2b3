package io.baton.tck.sim.election;

import io.baton.RecordKey;
import io.baton.election.ActiveStandby;
import io.baton.election.LeaderElection;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.tck.sim.lock.SimulatedStore;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One seeded run of active and standby nodes in several processes. Some are killed, closed and restarted. Then the
 * faults stop, a node must become active, each other one must become active by a hand-over, all stop, and nothing may
 * be left over.
 */
public final class StandbyRun implements SeededRun {

    static final String ELECTION = "boss";

    private static final String LINE = "elections/" + ELECTION;
    private static final RecordKey BREADCRUMB = new RecordKey(ActiveStandby.BREADCRUMBS, ELECTION);

    private static final int MOST_PROCESSES = 3;
    private static final int LEAST_PROMOTIONS = 3;
    private static final int LEAST_FAULTS = 2;
    private static final int REPLACEMENTS = 3;
    private static final int SICKNESSES = 4;
    private static final int RESIGNATIONS = 3;
    private static final int ASKS = 6;
    private static final long MILLI = 1_000_000;
    private static final Duration FAULTS = Duration.ofSeconds(40);

    /**
     * The time for which hooks, fencers and health checks still fail after the last fault of the store. Faults of the
     * store do not end tasks that hang then.
     */
    private static final Duration TROUBLES = Duration.ofSeconds(15);

    /** The time after the last fault and failure by which all are in contact again, and no task hangs. */
    private static final Duration RECOVERY = Duration.ofSeconds(40);

    /** The time after the last fault at which the election is resumed for the last time. */
    private static final Duration RESUMED = Duration.ofSeconds(28);

    private static final Duration HAND_OVER = Duration.ofSeconds(10);
    private static final Duration SETTLING = Duration.ofSeconds(30);

    /** The time within which a node must be active once the faults have stopped. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SimulatedStore store;
    private final Simulation sim;
    private final SplittableRandom chance;
    private final StandbyInvariants invariants;
    private final SimFaults faults;
    private final SimOperators operators;
    private final List<Member> members = new ArrayList<>();
    private int number;
    private int kills;
    private int closes;
    private int reopened;
    private int sicknesses;
    private boolean stopping;
    private boolean asking;

    /** A process, its client and its nodes. */
    private record Member(
            SimProcess process, SimLoop loop, SimLoop thread, SimulatedStore.Client client, List<SimNode> nodes) {}

    /** Creates a run on this store; it has not started. */
    public StandbyRun(SimulatedStore store) {
        this.store = store;
        sim = store.sim();
        invariants = new StandbyInvariants(sim, store.truth(LINE, BREADCRUMB));
        faults = new SimFaults(sim);
        store.addFaults(faults, LINE, invariants);
        chance = sim.chance();
        operators = new SimOperators(
                sim,
                chance,
                ELECTION,
                invariants.requests(),
                invariants::guard,
                FAULTS.plus(RESUMED),
                this::anyDesk,
                this::anybody);
        invariants.whenOff(this::off);
        start(List.of());
        // A single process finds its own breadcrumb.
        int processes = chance.nextInt(1, MOST_PROCESSES + 1);
        for (int i = 0; i < processes; i++) {
            start(newIds());
        }
        Duration all = FAULTS.plus(TROUBLES);
        sometimes(REPLACEMENTS, all, this::replaceOne);
        sometimes(SICKNESSES, all, this::sickenOne);
        sometimes(RESIGNATIONS, all, () -> nodes().forEach(SimNode::resign));
        sometimes(1, FAULTS, operators::pause);
        sometimes(ASKS, all.plus(RECOVERY), operators::ask);
    }

    private void sometimes(int times, Duration within, Runnable what) {
        for (int i = 0; i < times; i++) {
            sim.at(chance.nextLong(within.toNanos()), what);
        }
    }

    @Override
    public boolean run(Map<String, Long> totals) {
        run();
        addTo(totals);
        store.addTo(totals);
        return invariants.promotions() >= LEAST_PROMOTIONS && faults.faults() >= LEAST_FAULTS;
    }

    @Override
    public Trace trace() {
        return sim.trace();
    }

    private void run() {
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        store.calm();
        sim.note("test", "no more faults");
        sim.runFor(TROUBLES);
        invariants.calm();
        sim.note("test", "no more troubles");
        sim.runFor(RECOVERY);
        await("a node is active", () -> nodes().stream().anyMatch(SimNode::isActive));
        invariants.undisturbed();
        List.copyOf(nodes()).forEach(this::activate);
        sim.note("test", "everybody stops");
        stopping = true;
        nodes().forEach(node -> node.close(() -> {}));
        await("everybody has stopped", () -> nodes().stream().allMatch(SimNode::closed));
        sim.runFor(SETTLING);
        invariants.checkEnd();
        sim.check(invariants.requests().handOversEnded(), "a hand-over was never answered");
        members.forEach(member -> member.client.close().run());
        sim.runUntilQuiet(Duration.ofSeconds(30));
    }

    /** Hands over to a node until it is active. */
    private void activate(SimNode node) {
        int before = node.isActive() ? -1 : node.activations();
        await(node + " becomes active", () -> {
            if (node.isActive() && node.activations() > before) {
                return true;
            }
            if (!asking) {
                ask(node);
            }
            return false;
        });
    }

    private void ask(SimNode node) {
        Optional<SimNode> active = nodes().stream().filter(SimNode::isActive).findAny();
        if (active.isEmpty()) {
            return;
        }
        asking = true;
        SimNode leader = active.get();
        Member from = members.get(chance.nextInt(members.size()));
        boolean itself = chance.nextBoolean();
        CompletableFuture<Void> handedOver = itself
                ? leader.handOver(node.id(), HAND_OVER)
                : LeaderElection.named(from.client.coordinator(), ELECTION).handOverAsync(node.id(), HAND_OVER);
        SimProcess waiting = itself ? leader.process() : from.process;
        invariants.requests().handOverBegun(waiting);
        handedOver.whenComplete((done, failure) -> invariants.guard(() -> {
            sim.note("test", node.id() + ": " + (failure == null ? "handed over" : ElectionRequests.reason(failure)));
            invariants.requests().handOverEnded(waiting, failure);
            sim.after(Duration.ofSeconds(1), () -> asking = false);
        }));
    }

    private void addTo(Map<String, Long> totals) {
        invariants.addTo(totals);
        totals.merge("faults", faults.faults(), Long::sum);
        totals.merge("steps", sim.steps(), Long::sum);
        totals.merge("freezes", faults.freezes(), Long::sum);
        totals.merge("suspends", faults.suspends(), Long::sum);
        totals.merge("clients killed", (long) kills, Long::sum);
        totals.merge("clients closed", (long) closes, Long::sum);
        totals.merge("nodes started anew", (long) reopened, Long::sum);
        totals.merge("nodes that were unwell", (long) sicknesses, Long::sum);
    }

    private void await(String what, BooleanSupplier condition) {
        long end = sim.now() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(200));
        }
    }

    // ---- processes

    private List<SimNode> nodes() {
        return members.stream().flatMap(member -> member.nodes.stream()).toList();
    }

    private void replaceOne() {
        List<Member> all =
                members.stream().filter(member -> !member.nodes.isEmpty()).toList();
        if (all.isEmpty()) {
            return;
        }
        Member going = all.get(chance.nextInt(all.size()));
        switch (chance.nextInt(3)) {
            case 0 -> {
                sim.note("test", going.process.name() + " closes");
                closes++;
                going.nodes.forEach(SimNode::leave);
                members.remove(going);
                going.client.close().run();
                start(idsAfter(going));
            }
            case 1 -> {
                going.process.kill();
                kills++;
                off(going.process);
            }
            default -> List.copyOf(going.nodes).forEach(node -> reopen(going, node));
        }
    }

    /** Reopens the same node in the same process. */
    private void reopen(Member member, SimNode node) {
        sim.note("test", node + " is closed");
        node.close(() -> invariants.guard(() -> {
            boolean there = members.contains(member) && member.nodes.remove(node);
            if (there && !stopping) {
                reopened++;
                member.nodes.add(node(member, node.id()));
            }
        }));
    }

    /** A process that was switched off returns after a while. It keeps nothing except, most often, its ids. */
    private void off(SimProcess process) {
        List<Member> gone =
                members.stream().filter(member -> member.process == process).toList();
        members.removeAll(gone);
        for (Member member : gone) {
            List<String> ids = idsAfter(member);
            sim.at(sim.now() + chance.nextLong(200 * MILLI, 8_000 * MILLI), () -> {
                if (!stopping) {
                    start(ids);
                }
            });
        }
    }

    private List<String> idsAfter(Member member) {
        return chance.nextInt(4) == 0
                ? newIds()
                : member.nodes.stream().map(SimNode::id).collect(Collectors.toList());
    }

    private List<String> newIds() {
        List<String> ids = new ArrayList<>();
        int count = chance.nextInt(4) == 0 ? 2 : 1;
        for (int i = 0; i < count; i++) {
            ids.add("node-" + number++);
        }
        return ids;
    }

    private void sickenOne() {
        List<SimNode> all = nodes();
        if (!all.isEmpty()) {
            sicknesses++;
            all.get(chance.nextInt(all.size())).sicken(Duration.ofNanos(chance.nextLong(500 * MILLI, 8_000 * MILLI)));
        }
    }

    /** Draws an id, most of the time that of a present node. */
    private String anybody() {
        List<SimNode> all = nodes();
        return chance.nextInt(12) == 0 || all.isEmpty()
                ? "somebody else"
                : all.get(chance.nextInt(all.size())).id();
    }

    private SimOperators.Desk anyDesk() {
        Member any = members.get(chance.nextInt(members.size()));
        return new SimOperators.Desk(any.process, any.client.coordinator());
    }

    private void start(List<String> ids) {
        var process = new SimProcess(sim, "host" + number++, SimulatedStore.DRIFT_PPM);
        faults.add(process);
        SimLoop loop = process.thread("loop");
        SimLoop thread = process.thread("user");
        var member = new Member(process, loop, thread, store.start(process, loop, thread), new ArrayList<>());
        members.add(member);
        ids.forEach(id -> member.nodes.add(node(member, id)));
    }

    private SimNode node(Member member, String id) {
        var node = new SimNode(
                invariants,
                member.process,
                member.loop,
                member.thread,
                member.client,
                id,
                member.process.name() + ":" + number++,
                sim.chance());
        invariants.add(node);
        return node;
    }
}
