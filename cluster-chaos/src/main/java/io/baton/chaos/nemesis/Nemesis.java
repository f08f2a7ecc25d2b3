package io.baton.chaos.nemesis;

import io.baton.chaos.client.LockNames;
import io.baton.chaos.fleet.ClientFleet;
import io.baton.chaos.fleet.ProcessSlot;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.GrantWatch;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.nemesis.Disruption.Struck;
import io.baton.chaos.servers.DatabaseServers;
import io.baton.chaos.servers.ServerCluster;
import io.baton.chaos.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Disturbs servers and clients in rounds. In each, one server fault at most, one or two clients', and one of who runs the
 * store, which may overlap; then all is healed, and left alone until everything has been granted again, or the bound for that
 * has passed.
 *
 * <p>The seed decides which faults there are, and how long they last. What they meet is not decided by it: two runs with one
 * seed have the same schedule, and are not the same.
 */
public final class Nemesis implements AutoCloseable {

    private static final String WHO = "nemesis";
    private static final long POLL_MILLIS = 100;

    private final Servers servers;
    private final ClientFleet fleet;
    private final HistoryFile notes;
    private final GrantWatch grants;
    private final Duration bound;
    private final Random random;
    private final Spans spans;
    private final ShuffledBag<Supplier<Disruption>> serverFaults;
    private final ShuffledBag<Function<ProcessSlot, Disruption>> clientFaults;
    private final Operations operations = new Operations();
    private final ShuffledBag<Supplier<Disruption>> operatorFaults;
    private final List<String> names;

    /**
     * A nemesis.
     *
     * @param ttl of the clients' sessions: what faults are measured by
     * @param bound how long to wait for grants once all is well
     * @param names what is to be granted after each round; operators trouble the locks of it
     * @param kinds which kinds of faults there are to be
     * @throws IllegalArgumentException if there is no fault of such a kind
     */
    public Nemesis(
            Servers servers,
            ClientFleet fleet,
            HistoryFile notes,
            GrantWatch grants,
            Duration ttl,
            Duration bound,
            LockNames names,
            Predicate<String> kinds,
            long seed) {
        this.servers = servers;
        this.fleet = fleet;
        this.notes = notes;
        this.grants = grants;
        this.bound = bound;
        this.names = names.all();
        this.random = new Random(seed);
        this.spans = new Spans(ttl, random);
        this.serverFaults = bag(ofServers(), kinds);
        boolean clocks = fleet.berths().stream().allMatch(ProcessSlot::hasWallClock);
        ProcessSlot any = fleet.berths().get(0);
        this.clientFaults = new ShuffledBag<>(
                new ClientFaults(servers, spans, random)
                        .makers(clocks).stream()
                                .filter(maker -> kinds.test(maker.apply(any).kind()))
                                .toList(),
                random);
        this.operatorFaults = bag(ofOperators(names.locks()), kinds);
        if (serverFaults.isEmpty() && clientFaults.isEmpty() && operatorFaults.isEmpty()) {
            throw new IllegalArgumentException("there is no such kind of fault");
        }
    }

    private ShuffledBag<Supplier<Disruption>> bag(List<Supplier<Disruption>> makers, Predicate<String> kinds) {
        return new ShuffledBag<>(
                makers.stream().filter(maker -> kinds.test(maker.get().kind())).toList(), random);
    }

    private List<Supplier<Disruption>> ofServers() {
        return servers instanceof ServerCluster cluster
                ? new ServerFaults(cluster, spans, random).makers()
                : new DatabaseFaults((DatabaseServers) servers, spans, random).makers();
    }

    private List<Supplier<Disruption>> ofOperators(List<String> locks) {
        return servers instanceof ServerCluster cluster
                ? new OperatorFaults(cluster, fleet, locks, operations, spans, random).makers()
                : new DatabaseOperatorFaults((DatabaseServers) servers, locks, operations, notes, random).makers();
    }

    /** Disturbs for about this long, once everything has been granted. All is well when it returns. */
    public void rage(Duration length) throws InterruptedException {
        awaitGrants(System.nanoTime());
        long end = System.nanoTime() + length.toNanos();
        for (int round = 1; System.nanoTime() - end < 0; round++) {
            play(round);
            heal(round);
            awaitGrants(System.nanoTime());
            pause(spans.between(0.1, 0.6));
        }
    }

    /** Begins nothing more. */
    @Override
    public void close() {
        operations.close();
    }

    private void play(int round) throws InterruptedException {
        Timeline timeline = new Timeline();
        for (Disruption fault : faults()) {
            long begin = System.nanoTime() + spans.between(0, 0.5).toNanos();
            timeline.at(begin, () -> strike(fault, round, timeline));
        }
        timeline.play();
    }

    /** A server's in two rounds of three, clients' in two of three; of who runs the store in every other. */
    private List<Disruption> faults() {
        int of = random.nextInt(3);
        List<Disruption> faults = new ArrayList<>();
        boolean others = !serverFaults.isEmpty() || !clientFaults.isEmpty();
        if (!operatorFaults.isEmpty() && (random.nextBoolean() || !others)) {
            faults.add(operatorFaults.draw().get());
        }
        if (!serverFaults.isEmpty() && (of < 2 || clientFaults.isEmpty())) {
            faults.add(serverFaults.draw().get());
        }
        if (!clientFaults.isEmpty() && (of > 0 || serverFaults.isEmpty())) {
            List<ProcessSlot> berths = victims();
            int clients = Math.min(berths.size(), 1 + random.nextInt(2));
            berths.subList(0, clients)
                    .forEach(berth -> faults.add(clientFaults.draw().apply(berth)));
        }
        return faults;
    }

    /** In half of the cases those come first who may hold something. */
    private List<ProcessSlot> victims() {
        List<ProcessSlot> berths = new ArrayList<>(fleet.berths());
        Collections.shuffle(berths, random);
        if (random.nextBoolean()) {
            Set<String> holders = grants.holders();
            berths.sort(Comparator.comparing(berth -> !holders.contains(berth.name())));
        }
        return berths;
    }

    private void strike(Disruption fault, int round, Timeline timeline) throws InterruptedException {
        long begun = System.nanoTime();
        Struck struck = fault.strike().run();
        note(begun, EventKind.FAULT, fault, struck, round);
        timeline.at(System.nanoTime() + fault.lasts().toNanos(), () -> {
            struck.undo().run();
            note(System.nanoTime(), EventKind.OVER, fault, struck, round);
        });
    }

    private void note(long nanos, EventKind what, Disruption fault, Struck struck, int round) {
        List<Object> details = new ArrayList<>(List.of(
                "kind",
                fault.kind(),
                "target",
                struck.target(),
                "millis",
                fault.lasts().toMillis(),
                "costs",
                fault.costs(),
                "round",
                round));
        details.addAll(struck.details());
        notes.note(Event.of(nanos, WHO, what, details.toArray()));
    }

    private void heal(int round) throws InterruptedException {
        fleet.heal();
        servers.heal();
        operations.repeatTakenBack();
        notes.note(WHO, EventKind.HEALED, "round", round);
    }

    private void awaitGrants(long since) throws InterruptedException {
        long deadline = since + bound.toNanos();
        while (System.nanoTime() - deadline < 0 && !allGranted(since)) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private boolean allGranted(long since) {
        Map<String, Long> newest = grants.newest();
        return names.stream().allMatch(lock -> newest.getOrDefault(lock, Long.MIN_VALUE) > since);
    }

    private static void pause(Duration length) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
    }
}
