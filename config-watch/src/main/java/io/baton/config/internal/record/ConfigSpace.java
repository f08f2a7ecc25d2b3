package io.baton.config.internal.record;

import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.TreeFollower;
import io.baton.spi.Entry;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Names;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One configuration in the store: its records, and its fleet. Any thread, unless it says otherwise; what is asked of the
 * store completes on the loop.
 */
public final class ConfigSpace {

    private final String tree;
    private final RecipeContext context;

    private ConfigSpace(String tree, RecipeContext context) {
        this.tree = tree;
        this.context = context;
    }

    /**
     * The configuration whose values are in the tree of this name.
     *
     * @throws IllegalArgumentException if there can be no such tree, this coordinator is none of Baton's, or its store may
     *     lose what it has acknowledged, which was not accepted
     */
    public static ConfigSpace of(Coordinator coordinator, String tree) {
        RecipeContext context = RecipeContext.of(coordinator, "configurations");
        context.requireNoLoss("live configuration");
        return new ConfigSpace(Names.checkTree(tree), context);
    }

    /** The tree of its values. */
    public String tree() {
        return tree;
    }

    public ClientLoop loop() {
        return context.loop();
    }

    public Callbacks callbacks() {
        return context.callbacks();
    }

    public Guarantees guarantees() {
        return context.guarantees();
    }

    /** See {@link RecipeContext#host}. */
    public String host() {
        return context.host();
    }

    /** The contact with the store. */
    public SessionState contact() {
        return context.state();
    }

    /** See {@link RecipeContext#whyNoContact}. */
    public Optional<String> whyNoContact() {
        return context.whyNoContact();
    }

    /** Whether the coordinator is closed, or about to be: timers may not come any more. */
    boolean isClosed() {
        return context.state() == SessionState.CLOSED;
    }

    /** See {@link RecipeContext#report}. */
    public void report(Supplier<Consumer<Telemetry>> event) {
        context.report(event);
    }

    /**
     * Something to be brought to an end before the coordinator ends.
     *
     * @return to be run when it need not be any more
     */
    Subscription beforeClosing(Runnable end) {
        return context.beforeClosing(() -> {
            end.run();
            return CompletableFuture.completedFuture(null);
        });
    }

    /** Follows the tree of its values until closed. */
    public Subscription follow(TreeFollower follower) {
        return context.records().follow(tree, follower);
    }

    /** A record's present value. */
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return context.records().read(key);
    }

    /** The present values of these records, in their order, each at a moment of its own. On the loop. */
    public CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys) {
        return context.records().read(keys);
    }

    /** All records of a tree, as they were together. */
    CompletableFuture<List<Item>> all(String records) {
        return context.records().readTree(records);
    }

    /** {@link Coordinator#transact} without waiting. */
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        return context.records().write(guards, ops);
    }

    /** An entry in its fleet, to be seen as soon as it says something. */
    public Membership joinFleet() {
        return context.lines().join(fleet());
    }

    /** The entries of its fleet, oldest first. On the loop. */
    CompletableFuture<List<Entry>> fleetEntries() {
        Line line = fleet();
        return context.lines().entries(line, line);
    }

    private Line fleet() {
        return Line.of(tree + ".fleet");
    }
}
