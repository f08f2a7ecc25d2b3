package io.baton.tck.sim.recipes;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.spi.kernel.KernelSession;
import io.baton.tck.sim.lock.SimFaults;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.testkit.sim.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One seeded run of a recipe in processes that have whole coordinators, on a {@link RecipeServer}. Contacts break, answers
 * and events are lost or late, the server fails over, entries are removed and sessions ended by hand; processes are
 * frozen, suspended, killed, closed and replaced. Then all is well, and what is to come about has to.
 */
abstract class CoordinatorRun implements SeededRun {

    private static final Pattern PARTY = Pattern.compile("party \\S+-\\d+ \\(");
    private static final int DRIFT_PPM = 4_500;
    private static final Duration TTL = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration FAULTS = Duration.ofSeconds(15);

    /** The sessions of the dead, the longest freeze, and requests that wait for both. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What has begun is over by then, if nothing is in trouble. */
    static final Duration SOON = Duration.ofSeconds(3);

    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final Guarantees GUARANTEES = Guarantees.ofQuorum(1_000, 1 << 20, RecipeServer.LAG);

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    final RecipeServer server;
    final SplittableRandom chance;
    private final SimFaults faults;
    private final List<Member> members = new ArrayList<>();
    private @Nullable Throwable broken;
    private boolean stopping;
    private int started;

    /** A process and its coordinator, which a program uses on a thread of its own. */
    static final class Member {

        final String name;
        final SimProcess process;
        final SimLoop thread;
        final DefaultCoordinator baton;
        private final List<RecipeWire> wires;
        private boolean closed;

        private Member(
                String name, SimProcess process, SimLoop thread, DefaultCoordinator baton, List<RecipeWire> wires) {
            this.name = name;
            this.process = process;
            this.thread = thread;
            this.baton = baton;
            this.wires = wires;
        }

        boolean dead() {
            return process.dead();
        }

        /** Whether it was killed, or its coordinator closed. */
        boolean gone() {
            return closed || process.dead();
        }
    }

    /** A store with one client. */
    private record ClientStore(RecipeServer server, String client, List<RecipeWire> wires) implements Store {

        @Override
        public Guarantees guarantees() {
            return GUARANTEES;
        }

        @Override
        public void check(Line line) {}

        @Override
        public Session open(SessionSpec spec, Loop loop, SessionListener to) {
            server.counts.add("sessions");
            return KernelSession.open(
                    (id, ttl, its, on, events) -> {
                        var wire = new RecipeWire(server, id, ttl, on, events);
                        wires.add(wire);
                        return wire;
                    },
                    client + "." + wires.size(),
                    spec,
                    TTL,
                    loop,
                    to);
        }
    }

    CoordinatorRun(long seed) {
        sim = new Simulation(seed);
        chance = sim.chance();
        server = new RecipeServer(sim, counts);
        faults = new SimFaults(sim);
        faults.always(() -> disturb(RecipeWire::breakContact));
        faults.sometimes(() -> disturb(wire -> wire.hold(faults.upTo(500))));
        faults.sometimes(() -> disturb(wire -> wire.hold(faults.upTo(6_000))));
        faults.sometimesAlone(() -> disturb(wire -> wire.holdAnswers(faults.upTo(1_500))));
        faults.sometimes(this::holdAll);
        faults.sometimes(server::failOver);
        faults.sometimesAlone(() -> unlessNothing(server.removeByHand(faults.any(lines()))));
        faults.sometimes(() -> unlessNothing(server.endByHand()));
    }

    /** The paths of the lines of which entries are removed by hand. */
    abstract List<String> lines();

    /** A new process is there. */
    abstract void begin(Member member);

    /** No more faults: awaits what has to come about. */
    abstract void recover();

    /** Everybody stops. */
    abstract void stop();

    /** Everything is over: checks what came of it. Returns whether enough happened. */
    abstract boolean judge();

    /** The run has ended, or failed: nothing is to stay. */
    void cleanUp() {}

    @Override
    public final boolean run(Map<String, Long> totals) {
        try {
            return play(totals);
        } finally {
            cleanUp();
        }
    }

    private boolean play(Map<String, Long> totals) {
        sim.afterEveryStep(this::throwIfBroken);
        for (int i = chance.nextInt(3, 5); i > 0; i--) {
            start();
        }
        for (int i = chance.nextInt(3); i > 0; i--) {
            sim.at(chance.nextLong(FAULTS.toNanos()), this::replaceOne);
        }
        faults.start();
        sim.runFor(FAULTS);
        faults.stop();
        server.calm();
        sim.note("test", "no more faults");
        recover();
        sim.note("test", "everybody stops");
        stopping = true;
        stop();
        sim.runFor(SETTLING);
        boolean enough = judge();
        members.forEach(member -> member.baton.closeAsync());
        sim.runUntilQuiet(Duration.ofSeconds(30));
        counts.add("steps", sim.steps());
        counts.add("freezes", faults.freezes());
        counts.add("suspends", faults.suspends());
        counts.addTo(totals);
        return enough;
    }

    @Override
    public final Trace trace() {
        return sim.trace();
    }

    private void start() {
        String name = "client" + started++;
        var process = new SimProcess(sim, name, DRIFT_PPM);
        faults.add(process);
        var wires = new ArrayList<RecipeWire>();
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(TTL)
                .requestTimeout(TIMEOUT)
                .client(name)
                .rejoin(chance.nextBoolean())
                .build();
        SimLoop thread = process.thread("user");
        var store = new ClientStore(server, name, wires);
        DefaultCoordinator baton = DefaultCoordinator.start(store, process.thread("loop"), thread, options);
        var member = new Member(name, process, thread, baton, wires);
        members.add(member);
        begin(member);
    }

    // ---- faults

    private void disturb(Consumer<RecipeWire> fault) {
        List<RecipeWire> wires = faults.any(members).wires;
        if (wires.isEmpty()) {
            faults.nothing();
        } else {
            fault.accept(wires.get(wires.size() - 1));
        }
    }

    /**
     * Adds a fault: a process is frozen while a heartbeat is under way. It may wake between the deadline that it knows
     * and the one that the answer gives it, and so be lost and certain again in one step.
     */
    final void freezeBesideHeartbeats() {
        faults.sometimes(() -> {
            Member member = faults.any(members);
            List<RecipeWire> wires = member.wires;
            if (wires.isEmpty() || member.process.paused()) {
                faults.nothing();
                return;
            }
            counts.add("freezes beside a heartbeat");
            wires.get(wires.size() - 1).hold(faults.upTo(500));
            sim.after(
                    faults.upTo(300),
                    () -> member.process.freeze(Duration.ofSeconds(1).plus(faults.upTo(1_500))));
        });
    }

    private void holdAll() {
        counts.add("server frozen");
        Duration time = faults.upTo(4_000);
        members.forEach(member -> member.wires.forEach(wire -> wire.hold(time)));
    }

    private void unlessNothing(boolean something) {
        if (!something) {
            faults.nothing();
        }
    }

    /** One process leaves, by closing or by dying, and another begins. */
    private void replaceOne() {
        Member going = members.remove(chance.nextInt(members.size()));
        if (chance.nextInt(3) == 0) {
            counts.add("clients closed");
            sim.note("test", going.name + " closes");
            going.closed = true;
            going.baton.closeAsync();
        } else {
            counts.add("clients killed");
            going.process.kill();
        }
        start();
    }

    // ---- for recipes

    /** The processes that are there: not the killed and closed ones. */
    final List<Member> members() {
        return members;
    }

    /** Whether everybody stops, or has. */
    final boolean stopping() {
        return stopping;
    }

    /** The entries of the line at this path, by the id that each says of itself. */
    final Map<String, List<Entry>> entriesById(String path) {
        Map<String, List<Entry>> byId = new LinkedHashMap<>();
        for (Entry entry : server.line(path)) {
            String id = TextLines.decode(entry.payload()).get("id");
            if (id != null) {
                byId.computeIfAbsent(id, its -> new ArrayList<>()).add(entry);
            }
        }
        return byId;
    }

    /** The text without hosts and ids of processes, which would make each run's trace another. */
    static String anonymous(String text) {
        return PARTY.matcher(text).replaceAll("party (");
    }

    /** The name of the process whose entry this is. */
    static String client(Entry entry) {
        return entry.session().substring(0, entry.session().indexOf('.'));
    }

    final void await(String what, BooleanSupplier condition) {
        long end = sim.now() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            sim.check(sim.now() < end, "it never comes about that " + what);
            sim.runFor(Duration.ofMillis(100));
        }
    }

    final void checkNothingIsLeft() {
        lines().forEach(line ->
                sim.check(server.line(line).isEmpty(), () -> "left in " + line + ": " + server.line(line)));
    }

    /** Runs the task on the thread of the program, after a time of at most this. */
    final void later(Member member, int mostMillis, Runnable task) {
        member.thread.after(Duration.ofNanos(chance.nextLong(mostMillis * 1_000_000L)), guarded(task));
    }

    /** The task; an exception fails the run, though callbacks may throw. */
    final Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error thrown) {
                broken = broken == null ? thrown : broken;
            }
        };
    }

    /** The failure of a call without its wrapping, which has to be one that users know. */
    final Throwable known(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        sim.check(
                cause instanceof CoordinationException || cause instanceof CancellationException,
                () -> "a call failed in no known way: " + cause);
        return cause;
    }

    private void throwIfBroken() {
        if (broken instanceof RuntimeException known) {
            throw known;
        }
        if (broken instanceof Error known) {
            throw known;
        }
    }
}
