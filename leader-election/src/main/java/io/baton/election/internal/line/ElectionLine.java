package io.baton.election.internal.line;

import io.baton.Coordinator;
import io.baton.Dialect;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.Telemetry;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.Membership;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
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

/**
 * One election in the store: the line of its candidates, its nodes and its records. Any thread, unless stated
 * otherwise. Requests to the store complete on the loop.
 */
public final class ElectionLine {

    private static final String KIND = "election";

    private final Resource election;
    private final RecipeContext context;

    private ElectionLine(Resource election, RecipeContext context) {
        this.election = election;
        this.context = context;
    }

    /**
     * Returns the election with this name.
     *
     * @throws IllegalArgumentException if this coordinator is not Baton's
     */
    public static ElectionLine named(Coordinator coordinator, String name) {
        return new ElectionLine(Resource.named(KIND, name), context(coordinator));
    }

    /**
     * Returns the election at exactly this path.
     *
     * @throws IllegalArgumentException if the store cannot have such a path or dialect, or this coordinator is not
     *     Baton's
     */
    public static ElectionLine at(Coordinator coordinator, String path, Dialect dialect) {
        RecipeContext context = context(coordinator);
        Resource election = Resource.at(KIND, path, dialect);
        context.lines().check(election.line());
        return new ElectionLine(election, context);
    }

    private static RecipeContext context(Coordinator coordinator) {
        return RecipeContext.of(coordinator, "elections");
    }

    /** Returns the election's name for people. */
    public String name() {
        return election.name();
    }

    /** Returns whether the path is given, so that entries have the names of other programs. */
    public boolean exact() {
        return election.line().exact();
    }

    public ClientLoop loop() {
        return context.loop();
    }

    public Callbacks callbacks() {
        return context.callbacks();
    }

    public Duration closeTimeout() {
        return context.closeTimeout();
    }

    /** See {@link RecipeContext#requireNoLoss}. */
    public void requireNoLoss(String recipe) {
        context.requireNoLoss(recipe);
    }

    /** Returns the maximum number of conditions, operations and removals in one transaction. */
    public int maxOps() {
        return context.guarantees().maxOps();
    }

    /** See {@link RecipeContext#reportTrouble}. */
    public void reportTrouble(String what, String why) {
        context.reportTrouble(what, why);
    }

    /** See {@link RecipeContext#resolveTrouble}. */
    public void resolveTrouble(String what) {
        context.resolveTrouble(what);
    }

    public boolean inContact() {
        return context.inContact();
    }

    /** See {@link RecipeContext#onContact}. */
    public Subscription onContact(Consumer<Boolean> listener) {
        return context.onContact(listener);
    }

    /** See {@link RecipeContext#report}. */
    public void report(Supplier<Consumer<Telemetry>> event) {
        context.report(event);
    }

    /** See {@link RecipeContext#reportReliably}. */
    public void reportReliably(Supplier<Consumer<Telemetry>> event) {
        context.reportReliably(event);
    }

    /** See {@link RecipeContext#beforeClosing}. */
    public Subscription beforeClosing(Supplier<CompletionStage<Void>> hook) {
        return context.beforeClosing(hook);
    }

    /**
     * Claims an id in this election for a candidate or a standby node of this coordinator.
     *
     * @param as which of the two, for people
     * @return releases the id
     * @throws IllegalArgumentException if either has claimed it
     */
    public Subscription claim(String id, String as) {
        return context.shared(CandidateIds.class, CandidateIds::new).add(election, id, as);
    }

    /**
     * Joins the line of candidates, and stays until first.
     *
     * @param payload makes the entry's payload from the client's description
     */
    public LineAcquisition join(UnaryOperator<byte[]> payload, LineAcquisition.Listener to) {
        return context.lines().acquire(election, payload, to);
    }

    /** Reads the candidates in full, in the order of the line, without entries that leave meanwhile. On the loop. */
    public CompletableFuture<List<Entry>> entries() {
        return context.lines().entries(election.line(), election);
    }

    /** Reads the candidates, in the order of the line. */
    public CompletableFuture<List<Peer>> peers() {
        return context.lines().peers(election.line(), election);
    }

    /** Returns the entry with this name and order in the line of candidates. */
    public Peer peer(String name, long order) {
        return new Peer(election.line(), name, order);
    }

    /** Returns the entry of this hold, which this coordinator has granted. */
    public Peer peer(Hold hold) {
        return context.lines().entryOf(hold);
    }

    /** See {@link io.baton.recipe.LineAccess#release}. */
    public CompletableFuture<Void> release(Hold hold) {
        return context.lines().release(hold);
    }

    /** See {@link io.baton.recipe.LineAccess#markReleased}. */
    public void markReleased(Hold hold) {
        context.lines().markReleased(hold);
    }

    /** Calls the listener on the loop with the first entry, across sessions. */
    public Subscription observe(Consumer<Optional<Entry>> listener) {
        return context.lines().observeHead(election.line(), listener);
    }

    /** Adds an entry to this election's nodes, which is visible once it publishes something. */
    public Membership joinNodes() {
        return context.lines().join(nodes());
    }

    /** Reads the entries of the nodes, oldest first. On the loop. */
    public CompletableFuture<List<Entry>> nodeEntries() {
        return context.lines().entries(nodes(), "the nodes of " + election);
    }

    private Line nodes() {
        return Line.of("baton.nodes/" + Names.encode(election.name()));
    }

    /** Reads a record's present value. */
    public CompletableFuture<Optional<Item>> read(RecordKey key) {
        return context.records().read(key);
    }

    /** Calls the listener on the loop with the present value of a record, and with each change of it. */
    public Subscription observe(RecordKey key, Consumer<Optional<Item>> listener) {
        return context.records().observe(key, listener);
    }

    /** {@link Coordinator#transact} without waiting. */
    public CompletableFuture<Boolean> write(List<Guard> guards, List<Op> ops) {
        return context.records().write(guards, ops);
    }

    /** As {@link io.baton.spi.Session#transact(List, List, List)}. */
    public CompletableFuture<Boolean> transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        String what = ops.isEmpty()
                ? "a removal from " + election
                : "a write of " + ops.get(0).key();
        return context.records().transact(what, conditions, ops, removed);
    }
}
