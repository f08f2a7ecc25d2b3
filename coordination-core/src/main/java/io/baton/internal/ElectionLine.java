package io.baton.internal;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Names;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** What an election, which lives in a module of its own, has of its coordinator. Any thread, unless it says otherwise. */
public final class ElectionLine {

    private final Resource election;
    private final Parts parts;

    /** The parts of a client that it takes. */
    record Parts(
            ClientLoop loop,
            Callbacks callbacks,
            Acquisitions acquisitions,
            HeadObservations heads,
            RecordCaches records,
            Requests requests,
            Transactions transactions,
            LineEntries entries,
            Memberships presences,
            CandidateIds claims,
            CloseHooks drains,
            Troubles troubles,
            ContactListeners contact,
            Reporter reporter,
            Duration closeTimeout,
            int maxOps) {}

    ElectionLine(Resource election, Parts parts) {
        this.election = election;
        this.parts = parts;
    }

    /**
     * The line of the election of this name.
     *
     * @throws IllegalArgumentException if this coordinator is none of Baton's
     */
    public static ElectionLine named(Coordinator coordinator, String name) {
        return DefaultCoordinator.of(coordinator, "elections").election(name);
    }

    /**
     * The line at exactly this path.
     *
     * @throws IllegalArgumentException if the store cannot have such a path or dialect, or this coordinator is none of
     *     Baton's
     */
    public static ElectionLine at(Coordinator coordinator, String path, Dialect dialect) {
        return DefaultCoordinator.of(coordinator, "elections").electionAt(path, dialect);
    }

    /** What people call the election. */
    public String name() {
        return election.name();
    }

    /** Whether the path is given, and the names of entries are those of other programs. */
    public boolean exact() {
        return election.line().exact();
    }

    /** The coordinator's loop. */
    public ClientLoop loop() {
        return parts.loop();
    }

    /** What goes wrong with the coordinator, for people. */
    public Troubles troubles() {
        return parts.troubles();
    }

    /** Whether the store is in reach. */
    public boolean inContact() {
        return parts.contact().inContact();
    }

    /** Calls the listener on the loop: with whether the store is in reach, and with each change of that. */
    public Subscription onContact(Consumer<Boolean> listener) {
        return parts.contact().add(listener);
    }

    /** Notifies telemetry listeners, if there are any; a slow one may miss it. */
    public void report(Supplier<Consumer<Telemetry>> event) {
        if (!parts.reporter().silent()) {
            parts.reporter().tell(event.get());
        }
    }

    /** Notifies telemetry listeners, if there are any; none misses it. */
    public void reportSurely(Supplier<Consumer<Telemetry>> event) {
        if (!parts.reporter().silent()) {
            parts.reporter().tellSurely(event.get());
        }
    }

    /** Where users' code runs that is not a leader's. */
    public Callbacks callbacks() {
        return parts.callbacks();
    }

    /** How long closing waits for the store's confirmation. */
    public Duration closeTimeout() {
        return parts.closeTimeout();
    }

    /**
     * Stands in the line until first, however long it takes and across sessions.
     *
     * @param payload what the entry says, made of what the client says of itself
     */
    public LineAcquisition stand(UnaryOperator<byte[]> payload, LineAcquisition.Listener to) {
        return new LineAcquisition(parts.acquisitions().stand(election, payload), to);
    }

    /**
     * Takes an id in this election for as long as a candidate, or a standby node, of this coordinator bears it.
     *
     * @param as which of the two, for people
     * @return gives it back
     * @throws IllegalArgumentException if either has taken it
     */
    public Subscription claim(String id, String as) {
        return parts.claims().add(election, id, as);
    }

    /**
     * Who stands in the line, first first, in full; who goes meanwhile is left out. Completes on the loop, as whatever is
     * asked of the store here; to be called on it.
     */
    public CompletableFuture<List<Entry>> entries() {
        return parts.entries().all(election.line(), election);
    }

    /**
     * What one of the election's nodes says of itself while its session lasts, as soon as there is something to say.
     */
    public Membership presence() {
        return parts.presences().add(nodes());
    }

    /** What the election's nodes say of themselves, in the order in which they have said it. On the loop. */
    public CompletableFuture<List<Entry>> present() {
        return parts.entries().all(nodes(), "the nodes of " + election);
    }

    private Line nodes() {
        return Line.of("baton.nodes/" + Names.encode(election.name()));
    }

    /** Who stands in the line, first first. */
    public CompletableFuture<List<Peer>> peers() {
        return parts.entries().peers(election.line(), election);
    }

    /** The entry of this name and order in this line. */
    public Peer peer(String name, long order) {
        return new Peer(election.line(), name, order);
    }

    /** The entry of this hold, which this coordinator has granted. */
    public Peer peer(Hold hold) {
        return granted(hold).peer();
    }

    /** A record's present value. */
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return parts.requests().send("a read of " + key, false, session -> session.get(key));
    }

    /** Tells on the loop the present value of a record, and each change of it, across sessions. */
    public Subscription observe(RecordKey key, Consumer<Optional<Item>> to) {
        return parts.records().add(key, to);
    }

    /** As {@link io.baton.spi.Session#transact(List, List, List)}. */
    public CompletableFuture<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        String what = ops.isEmpty()
                ? "a removal from " + election
                : "a write of " + ops.get(0).key();
        return parts.requests().send(what, true, session -> session.transact(conditions, ops, removed));
    }

    /** The most conditions, operations and removals in one transaction. */
    public int maxOps() {
        return parts.maxOps();
    }

    /** Its owner is about to remove the entry of this hold by a transaction: from here on it is released, not lost. On the loop. */
    public void parting(Hold hold) {
        granted(hold).release();
    }

    private static FencedHold granted(Hold hold) {
        if (hold instanceof FencedHold known) {
            return known;
        }
        throw new IllegalArgumentException(hold + " is no hold of Baton's");
    }

    /** Tells on the loop who stands first, across sessions: as {@link io.baton.spi.HeadListener#head}. */
    public Subscription observe(Consumer<Optional<Entry>> to) {
        return parts.heads().add(election.line(), to);
    }

    /** {@link Coordinator#transact} without waiting; completes on the loop. */
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        return parts.transactions().apply(guards, ops);
    }

    /**
     * Something to be done before the coordinator gives back its holds and ends; it is waited for within limits. Called
     * on the loop.
     *
     * @return to be run when it need not be done any more
     */
    public Subscription beforeClosing(Supplier<CompletionStage<Void>> drain) {
        return parts.drains().add(drain);
    }

    /** What a closed coordinator says. */
    public static CoordinationException closed() {
        return Acquisition.closed();
    }
}
