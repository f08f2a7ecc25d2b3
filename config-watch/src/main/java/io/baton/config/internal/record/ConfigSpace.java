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
 * One configuration in the store: its records, and its fleet. Any thread, unless stated otherwise. Requests to the
 * store complete on the loop.
 */
public final class ConfigSpace {

    private final String tree;
    private final RecipeContext context;

    private ConfigSpace(String tree, RecipeContext context) {
        this.tree = tree;
        this.context = context;
    }

    /**
     * Returns the configuration whose values are in the tree of this name.
     *
     * @throws IllegalArgumentException as {@link io.baton.config.ConfigStore#of(Coordinator, String)}
     */
    public static ConfigSpace of(Coordinator coordinator, String tree) {
        RecipeContext context = RecipeContext.of(coordinator, "configurations");
        context.requireNoLoss("live configuration");
        return new ConfigSpace(Names.checkTree(tree), context);
    }

    /** Returns the tree of its values. */
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

    /** Returns the contact with the store. */
    public SessionState contact() {
        return context.state();
    }

    /** See {@link RecipeContext#whyNoContact}. */
    public Optional<String> whyNoContact() {
        return context.whyNoContact();
    }

    /** Returns whether the coordinator is closed or closing, so that timers may not fire any more. */
    boolean isClosed() {
        return context.state() == SessionState.CLOSED;
    }

    /** See {@link RecipeContext#report}. */
    public void report(Supplier<Consumer<Telemetry>> event) {
        context.report(event);
    }

    /** See {@link RecipeContext#reportReliably}. */
    public void reportReliably(Supplier<Consumer<Telemetry>> event) {
        context.reportReliably(event);
    }

    /** Notes that one more of the coordinator's live configurations follows the tree. */
    public void opened() {
        openConfigs().opened(tree);
    }

    /** Notes that one of them has ended. Returns whether it was the last. */
    public boolean closed() {
        return openConfigs().closed(tree);
    }

    private OpenConfigs openConfigs() {
        return context.shared(OpenConfigs.class, OpenConfigs::new);
    }

    /**
     * Adds an action that ends something before the coordinator closes.
     *
     * @return removes the action
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

    /** Reads a record's present value. */
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return context.records().read(key);
    }

    /** Reads the present values of these records, in order, each at a moment of its own. On the loop. */
    public CompletableFuture<List<Optional<Item>>> read(List<RecordKey> keys) {
        return context.records().read(keys);
    }

    /** Reads all records of a tree in one consistent snapshot. */
    CompletableFuture<List<Item>> all(String records) {
        return context.records().readTree(records);
    }

    /** {@link Coordinator#transact} without waiting. A transaction that is invalid also fails in the future. */
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        try {
            return context.records().write(guards, ops);
        } catch (IllegalArgumentException invalid) {
            return CompletableFuture.failedFuture(invalid);
        }
    }

    /** Adds an entry to its fleet, which is visible once it publishes something. */
    public Membership joinFleet() {
        return context.lines().join(fleet());
    }

    /** Reads the entries of its fleet, oldest first. On the loop. */
    CompletableFuture<List<Entry>> fleetEntries() {
        Line line = fleet();
        return context.lines().entries(line, line);
    }

    private Line fleet() {
        return Line.of(tree + ".fleet");
    }
}
