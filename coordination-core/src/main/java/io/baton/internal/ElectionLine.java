package io.baton.internal;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.spi.Entry;
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

    private final Contest election;
    private final Parts parts;

    /** The parts of a client that it takes. */
    record Parts(
            OwnLoop loop,
            Callbacks callbacks,
            Acquisitions acquisitions,
            HeadObservations heads,
            Requests requests,
            Transactions transactions,
            Drains drains,
            Duration closeTimeout) {}

    ElectionLine(Contest election, Parts parts) {
        this.election = election;
        this.parts = parts;
    }

    /**
     * The line of the election of this name.
     *
     * @throws IllegalArgumentException if this coordinator is none of Baton's
     */
    public static ElectionLine named(Coordinator coordinator, String name) {
        return client(coordinator).election(name);
    }

    /**
     * The line at exactly this path.
     *
     * @throws IllegalArgumentException if the store cannot have such a path or dialect, or this coordinator is none of
     *     Baton's
     */
    public static ElectionLine at(Coordinator coordinator, String path, Dialect dialect) {
        return client(coordinator).electionAt(path, dialect);
    }

    private static Client client(Coordinator coordinator) {
        if (coordinator instanceof Client client) {
            return client;
        }
        throw new IllegalArgumentException("elections need a coordinator made by Coordinator.connect, not "
                + coordinator.getClass().getName());
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
    public OwnLoop loop() {
        return parts.loop();
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
    public Bid stand(UnaryOperator<byte[]> payload, Bid.Listener to) {
        return new Bid(parts.acquisitions().stand(election, payload), to);
    }

    /** Tells on the loop who stands first, across sessions: as {@link io.baton.spi.HeadObserver#head}. */
    public Subscription observe(Consumer<Optional<Entry>> to) {
        return parts.heads().add(election.line(), to);
    }

    /** The present value of a record; completes on the loop. */
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return parts.requests().send("a read of " + key, false, session -> session.get(key));
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
