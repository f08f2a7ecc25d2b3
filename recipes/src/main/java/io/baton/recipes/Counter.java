package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.recipes.internal.CounterWriter;
import java.util.concurrent.CompletableFuture;

/**
 * A number that processes share, and change without losing a change of another one. It begins at 0.
 *
 * <pre>{@code
 * Counter visits = Counter.named(baton, "visits");
 * visits.add(1);
 * visits.addOnce(1, orderId); // counts this order once, also if it is repeated
 * }</pre>
 *
 * <p><b>Guarantees.</b> Each change is applied once or not at all, also if connections break. A method that returns
 * has applied it, and one that throws {@link io.baton.StoreUnavailableException} has not. {@link
 * io.baton.OutcomeUnknownException} says that it may have been applied; {@link #addOnce} can then be repeated.
 *
 * <p><b>Cost.</b> A change takes two round trips. On ZooKeeper and etcd three of four take one, if they follow each
 * other within seconds and no other object changes the number; one whose number has been changed by another meanwhile
 * takes three then. Changes of one object that come while another one is under way are written together, so keep one
 * object per process. Changes of different processes wait for each other, and a process near the store gets more of
 * them through: a counter is for some hundred changes a second, not for thousands.
 *
 * <p><b>Failures.</b> All methods throw {@link io.baton.StoreUnavailableException} if the store could not be reached,
 * or others changed the number each time before this object could, within the request timeout.
 */
public final class Counter {

    /** The tree of records in which the numbers are, one by the counter's name; it stays there. */
    public static final String TREE = "baton.counters";

    /** How many operations {@link #addOnce} remembers: the latest of all processes. */
    public static final int REMEMBERED = 256;

    private final String name;
    private final RecipeContext context;
    private final CounterWriter writer;

    private Counter(String name, RecipeContext context) {
        this.name = name;
        this.context = context;
        this.writer = new CounterWriter(context, new RecordKey(TREE, name), REMEMBERED);
    }

    /**
     * Returns the counter of this name. Does not contact the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @throws IllegalArgumentException if the store may lose acknowledged writes, unless {@code acceptLoss} is set in
     *     the coordinator's options
     */
    public static Counter named(Coordinator coordinator, String name) {
        RecipeContext context = RecipeContext.of(coordinator, "counters");
        context.requireNoLoss("a counter");
        return new Counter(name, context);
    }

    /** Returns the counter's name. */
    public String name() {
        return name;
    }

    /** Returns the present number. */
    @CheckReturnValue
    public long get() throws InterruptedException {
        return Futures.interruptibly(writer.read());
    }

    /** {@link #get} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Long> getAsync() {
        return context.callbacks().completeInCallback(writer.read());
    }

    /**
     * Adds to the number, and returns the new one.
     *
     * @throws IllegalArgumentException if the sum is out of range; nothing is added
     */
    public long add(long delta) throws InterruptedException {
        return Futures.interruptibly(writer.add(delta));
    }

    /** {@link #add} without waiting. */
    public CompletableFuture<Long> addAsync(long delta) {
        return context.callbacks().completeInCallback(writer.add(delta));
    }

    /**
     * Adds to the number unless this operation has been counted. An operation is remembered until {@link #REMEMBERED}
     * others have been added by {@code addOnce}; repeated later than that, it counts again. Where many processes count
     * together, that may be a fraction of a second. A change that Baton repeats by itself does not rest on this memory.
     *
     * @param operationId names the operation, for all processes: any non-empty string of well-formed Unicode
     * @return false if it had been counted before
     * @throws IllegalArgumentException if the sum is out of range; nothing is added. Also if the id is empty or not
     *     well-formed, as different ids could not be told apart then
     */
    public boolean addOnce(long delta, String operationId) throws InterruptedException {
        return Futures.interruptibly(writer.addOnce(delta, checkId(operationId)));
    }

    /** {@link #addOnce} without waiting. */
    public CompletableFuture<Boolean> addOnceAsync(long delta, String operationId) {
        return context.callbacks().completeInCallback(writer.addOnce(delta, checkId(operationId)));
    }

    /** Sets the number if it is the expected one. Returns false if it is another one. */
    @CheckReturnValue
    public boolean compareAndSet(long expected, long update) throws InterruptedException {
        return Futures.interruptibly(writer.compareAndSet(expected, update));
    }

    /** {@link #compareAndSet} without waiting. */
    @CheckReturnValue
    public CompletableFuture<Boolean> compareAndSetAsync(long expected, long update) {
        return context.callbacks().completeInCallback(writer.compareAndSet(expected, update));
    }

    private static String checkId(String id) {
        if (id.isEmpty() || !Texts.isWellFormed(id)) {
            throw new IllegalArgumentException("the id of an operation has at least one character, and is well-formed"
                    + " Unicode; this one with " + id.length() + " chars is not");
        }
        return id;
    }

    @Override
    public String toString() {
        return "counter '" + name + "'";
    }
}
