package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.internal.BarrierWait;
import io.baton.recipes.internal.PartyWait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a number of parties wait for each other. Once all are there, all go on, and the next round begins.
 *
 * <pre>{@code
 * Barrier load = Barrier.named(baton, "load", 5);
 * load.await(Duration.ofMinutes(1)).orThrow();
 * }</pre>
 *
 * <p><b>Rounds.</b> A party is an entry in the store that is bound to its session. Once as many stand as the barrier has
 * parties, one transaction writes that the round has passed, and removes their entries; it is applied only if all of
 * them stand. If a party goes while it waits, a transaction writes that the round is broken, and removes those that
 * stand. A party goes if its time is over, it is interrupted or cancelled, or its session ends. More comers than parties
 * are of the next rounds.
 *
 * <p><b>Guarantees.</b> All parties of a round get the same verdict, also one that hears of it late: the record keeps the
 * verdicts of the last {@link #KEPT_ROUNDS} rounds. No party passes without the others. A party whose session ended
 * still gets the verdict, if its round had been decided before.
 *
 * <p><b>Not guaranteed.</b> If another party comes in the place of one that went before those that wait had noticed, the
 * round passes with it.
 *
 * <p><b>Failures.</b> A wait throws {@link io.baton.SessionLostException} if the session ended, or the entry was removed
 * by somebody, while it waited, or the coordinator is closed: the round is broken for the others. It throws {@link
 * io.baton.OutcomeUnknownException} if its time is over and the store does not answer, or its entry has gone and more
 * rounds were decided since it came than are kept: the others may have passed with this party, or their round is
 * broken. {@link io.baton.StoreUnavailableException} says that it never stood there.
 *
 * <p><b>The number of parties</b> is in the record. A party that asks for another number is refused with both. To change
 * it, delete the record of the barrier's name in the tree {@link #TREE} while nobody waits.
 *
 * <p><b>Cost.</b> A wait reads the record and joins; each party reads the list of parties with each that comes. The
 * verdict is one write for all. The object keeps no state. Any thread may use it.
 */
public final class Barrier {

    /** The tree of records with the rounds, one by the barrier's name; they stay there. */
    public static final String TREE = "baton.barriers";

    /** The most parties of a barrier. */
    public static final int MAX_PARTIES = 100;

    /** How many rounds keep their verdict for parties that hear of it late. */
    public static final int KEPT_ROUNDS = 32;

    private final String name;
    private final int parties;
    private final RecipeContext context;

    private Barrier(String name, int parties, RecipeContext context) {
        this.name = name;
        this.parties = parties;
        this.context = context;
    }

    /**
     * Returns the barrier of this name. Does not contact the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @param parties how many wait for each other, from 1 to {@link #MAX_PARTIES}; the same in all programs
     * @throws IllegalArgumentException also if the store may lose acknowledged writes, unless {@code acceptLoss} is set
     *     in the coordinator's options
     */
    public static Barrier named(Coordinator coordinator, String name, int parties) {
        if (parties < 1 || parties > MAX_PARTIES) {
            throw new IllegalArgumentException("a barrier has 1 to " + MAX_PARTIES + " parties, not " + parties);
        }
        RecipeContext context = RecipeContext.of(coordinator, "barriers");
        context.requireNoLoss("a barrier");
        return new Barrier(name, parties, context);
    }

    /** Returns the barrier's name. */
    public String name() {
        return name;
    }

    /** Returns how many parties wait for each other. */
    public int parties() {
        return parties;
    }

    /**
     * Waits until all parties are there, or one of them has gone.
     *
     * @throws io.baton.CoordinationException if the barrier has another number of parties
     * @throws InterruptedException if interrupted; the round is broken
     */
    @CheckReturnValue
    public BarrierRound await() throws InterruptedException {
        return begin().await();
    }

    /**
     * As {@link #await()}, but goes after this time, which breaks the round.
     *
     * @param timeout how long to wait, more than zero
     */
    @CheckReturnValue
    public BarrierRound await(Duration timeout) throws InterruptedException {
        PartyWait.check(timeout);
        return begin().await(timeout);
    }

    /**
     * {@link #await()} without waiting. The future completes on a callback thread. Cancelling it breaks the round, unless
     * it has been decided.
     */
    @CheckReturnValue
    public CompletableFuture<BarrierRound> awaitAsync() {
        return begin().async();
    }

    private PartyWait<BarrierRound> begin() {
        BarrierWait wait = BarrierWait.begin(context, name, parties);
        return new PartyWait<>(context, wait.outcome(), wait::leave, wait::leave);
    }

    @Override
    public String toString() {
        return "barrier '" + name + "' of " + parties;
    }
}
