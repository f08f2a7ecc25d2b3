package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Texts;
import io.baton.recipes.internal.LatchChanges;
import io.baton.recipes.internal.LatchWait;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Lets processes wait until a number of others have each said that they are done. It can be used again: {@link #reset}
 * begins the next round.
 *
 * <pre>{@code
 * Latch migrated = Latch.named(baton, "migrated");
 * migrated.open(3);                   // any process, or all of them
 * migrated.countDown(shard);          // "shard-1", "shard-2", "shard-3", each once
 * migrated.await();
 * }</pre>
 *
 * <p><b>Rounds.</b> A round is released once as many ids have counted down as it was opened for; it stays released. A
 * waiter stands in the present round, whether or not the latch is open: the one that its first read of the store shows.
 * It is let go once that round is released, also if the round is reset before the waiter has seen that. If a round is
 * reset before it was released, its waiters wait on, for the next round that is released.
 *
 * <p><b>Guarantees.</b> An id counts once in a round, also if connections break. A count stays when the process that
 * made it ends. Waiting continues across breaks of contact and sessions.
 *
 * <p><b>Failures.</b> All methods but the waiting ones throw {@link io.baton.StoreUnavailableException} if nothing was
 * changed because the store could not be reached, or others changed the latch each time before this object could,
 * within the request timeout. {@link io.baton.OutcomeUnknownException} says that a change may have been applied; it can
 * be repeated.
 *
 * <p><b>Cost.</b> A change takes two round trips, and writes all ids of the round. A waiter takes one read, and then
 * follows the record without polling: a coordinator with waiters observes all latches of the store once. The object
 * keeps no state. Any thread may use it.
 */
public final class Latch {

    /** The tree of records in which the latches are, one by the latch's name; it stays there. */
    public static final String TREE = "baton.latches";

    /** The most that a latch can be opened for. */
    public static final int MAX_COUNT = 1_000;

    /** The longest id, in bytes of UTF-8. */
    public static final int MAX_ID_BYTES = 64;

    private final String name;
    private final RecipeContext context;
    private final RecordKey key;
    private final LatchChanges changes;

    private Latch(String name, RecipeContext context) {
        this.name = name;
        this.context = context;
        this.key = new RecordKey(TREE, name);
        this.changes = new LatchChanges(name, context, key);
    }

    /**
     * Returns the latch of this name. Does not contact the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @throws IllegalArgumentException if the store may lose acknowledged writes, unless {@code acceptLoss} is set in
     *     the coordinator's options
     */
    public static Latch named(Coordinator coordinator, String name) {
        RecipeContext context = RecipeContext.of(coordinator, "latches");
        context.requireNoLoss("a latch");
        return new Latch(name, context);
    }

    /** Returns the latch's name. */
    public String name() {
        return name;
    }

    /**
     * Opens the latch in the present round, if it is not open.
     *
     * @param count how many have to count down, from 1 to {@link #MAX_COUNT}
     * @return false if it was open already, with the same count
     * @throws io.baton.CoordinationException if it was opened with another count; the message has both
     */
    public boolean open(int count) throws InterruptedException {
        return Futures.interruptibly(changes.open(checkCount(count)));
    }

    /** {@link #open} without waiting. */
    public CompletableFuture<Boolean> openAsync(int count) {
        return context.callbacks().completeInCallback(changes.open(checkCount(count)));
    }

    /**
     * Counts this id in the present round.
     *
     * @param id who or what is done: a non-empty string of at most {@link #MAX_ID_BYTES} bytes in UTF-8
     * @return false if it had counted before, or the round was released without it
     * @throws io.baton.CoordinationException if the latch is not open
     */
    public boolean countDown(String id) throws InterruptedException {
        return Futures.interruptibly(changes.countDown(checkId(id)));
    }

    /** {@link #countDown} without waiting. */
    public CompletableFuture<Boolean> countDownAsync(String id) {
        return context.callbacks().completeInCallback(changes.countDown(checkId(id)));
    }

    /**
     * Waits until the present round is released.
     *
     * @throws io.baton.CoordinatorClosedException if the coordinator is closed
     */
    public void await() throws InterruptedException {
        var unused = outcome(LatchWait.begin(context, key));
    }

    /**
     * Waits until the present round is released, but no longer than this.
     *
     * @param timeout how long to wait; zero or less reads the state once
     * @return false if the time has passed
     * @throws io.baton.StoreUnavailableException if the store was not reached in this time
     */
    @CheckReturnValue
    public boolean await(Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return state().isReleased();
        }
        LatchWait wait = LatchWait.begin(context, key);
        if (!Futures.awaitDone(timeout, wait.outcome())
                && !Thread.currentThread().isInterrupted()) {
            wait.timeOver();
        }
        return outcome(wait);
    }

    /** {@link #await()} without waiting. The future completes on a callback thread. Cancelling it ends the wait. */
    @CheckReturnValue
    public CompletableFuture<Void> awaitAsync() {
        LatchWait wait = LatchWait.begin(context, key);
        CompletableFuture<Void> users =
                context.callbacks().completeInCallback(wait.outcome().thenApply(released -> null));
        Futures.onDone(users, (done, failure) -> wait.giveUp());
        return users;
    }

    private static boolean outcome(LatchWait wait) throws InterruptedException {
        try {
            return Futures.interruptibly(wait.outcome());
        } catch (InterruptedException interrupted) {
            wait.giveUp();
            throw interrupted;
        }
    }

    /**
     * Begins the next round, in which the latch has to be opened again. Processes that do so at the same time begin one
     * round together.
     *
     * @return the number of the round
     */
    public long reset() throws InterruptedException {
        return Futures.interruptibly(changes.reset());
    }

    /** {@link #reset} without waiting. */
    public CompletableFuture<Long> resetAsync() {
        return context.callbacks().completeInCallback(changes.reset());
    }

    /** Reads the round, and who has counted down in it. */
    @CheckReturnValue
    public LatchState state() throws InterruptedException {
        return Futures.interruptibly(changes.read());
    }

    /** {@link #state} without waiting. */
    @CheckReturnValue
    public CompletableFuture<LatchState> stateAsync() {
        return context.callbacks().completeInCallback(changes.read());
    }

    private static int checkCount(int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException(
                    "a latch is opened for 1 to " + MAX_COUNT + " to count down, not for " + count);
        }
        return count;
    }

    private static String checkId(String id) {
        int bytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_ID_BYTES || !Texts.isWellFormed(id)) {
            throw new IllegalArgumentException(
                    "an id has 1 to " + MAX_ID_BYTES + " bytes of well-formed UTF-8; this one has " + bytes);
        }
        return id;
    }

    @Override
    public String toString() {
        return "latch '" + name + "'";
    }
}
