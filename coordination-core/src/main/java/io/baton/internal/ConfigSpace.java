package io.baton.internal;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What the writing of a configuration, and its fleet, which live in a module of their own, have of their coordinator. What is
 * asked of the store completes on the loop. Any thread.
 */
public final class ConfigSpace {

    private static final int AT_ONCE = 32;

    private final String tree;
    private final Parts parts;

    /** The parts of a client that it takes. */
    record Parts(
            DefaultCoordinator client,
            ClientLoop loop,
            Callbacks callbacks,
            Requests requests,
            Transactions transactions,
            LineEntries entries,
            Memberships presences,
            TreeSubscriptions feeds,
            CloseHooks drains,
            Guarantees guarantees,
            Duration requestTimeout) {}

    ConfigSpace(String tree, Parts parts) {
        this.tree = tree;
        this.parts = parts;
    }

    /**
     * The space whose values are in the tree of this name.
     *
     * @throws IllegalArgumentException if there can be no such tree, or this coordinator is none of Baton's
     */
    public static ConfigSpace of(Coordinator coordinator, String tree) {
        return DefaultCoordinator.of(coordinator, "configurations").space(Names.checkTree(tree));
    }

    /** The tree of its values. */
    public String tree() {
        return tree;
    }

    /** The coordinator's loop. */
    public ClientLoop loop() {
        return parts.loop();
    }

    /** Where users' code runs. */
    public Callbacks callbacks() {
        return parts.callbacks();
    }

    /** What the store can take. */
    public Guarantees guarantees() {
        return parts.guarantees();
    }

    /** What this machine is called; may ask the name service, which may be slow. */
    public static String host() {
        return EntryInfo.ofThisProcess("").host();
    }

    /** A record's present value. */
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return parts.requests().send("a read of " + key, false, session -> session.get(key));
    }

    /** The present values of these records, in their order, each at a moment of its own. On the loop. */
    public CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys) {
        return BoundedCalls.all(keys, AT_ONCE, this::read);
    }

    /** All records of a tree, as they were together. */
    public CompletableFuture<List<Item>> all(String records) {
        return TreeSnapshotRead.of(records, parts.feeds(), parts.loop(), parts.requestTimeout());
    }

    /** {@link Coordinator#transact} without waiting; completes on the loop. */
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        return parts.transactions().apply(guards, ops);
    }

    /** Stands in its fleet, as soon as there is something to say. */
    public Membership presence() {
        return parts.presences().add(fleet());
    }

    /** Who stands in its fleet, in the order in which they have come. On the loop. */
    public CompletableFuture<List<Entry>> present() {
        Line line = fleet();
        return parts.entries().all(line, line);
    }

    /**
     * Something to be brought to an end before the coordinator ends.
     *
     * @return to be run when it need not be any more
     */
    public Subscription beforeClosing(Runnable end) {
        return parts.drains().add(() -> {
            end.run();
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Whether the coordinator is closed, or about to be: timers may not come any more. */
    public boolean isClosed() {
        return parts.client().state() == SessionState.CLOSED;
    }

    /** What a closed coordinator says. */
    public static CoordinationException closed() {
        return Acquisition.closed();
    }

    private Line fleet() {
        return Line.of(tree + ".fleet");
    }
}
