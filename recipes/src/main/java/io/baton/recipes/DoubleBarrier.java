package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.internal.DoubleBarrierParty;
import io.baton.recipes.internal.PartyWait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Lets a number of parties begin some work together and end it together. Once all are there, all enter; once all are
 * ready to leave, all leave, and the next round begins.
 *
 * <pre>{@code
 * DoubleBarrier batch = DoubleBarrier.named(baton, "batch", 5);
 * try (DoubleBarrierRound round = batch.enter(Duration.ofMinutes(1)).orThrow()) {
 *     work();
 *     round.leave(Duration.ofMinutes(10)).orThrow();
 * }
 * }</pre>
 *
 * <p><b>Rounds.</b> A party has an entry in the store that is bound to its session, from before it enters until it has
 * left, and another one once it is ready to leave. Two verdicts are written to one record. The first is that a round is
 * entered; it is written only if the entries of as many parties stand as the barrier has, and names them. The second is
 * that exactly these have left; it is written only if all their entries stand, and removes them. If a party of the round
 * goes before, the second verdict is that its end is broken. If a party goes before it has entered, those that waited
 * with it do not enter. A party goes if its time is over, it is interrupted or cancelled, it closes the round, or its
 * session ends.
 *
 * <p><b>Guarantees.</b> All parties of a round get the same two verdicts, also one that hears of them late: the record
 * keeps the last {@link #KEPT_ROUNDS} rounds. No party enters or leaves without the others. A round is entered only after
 * the end of the round before was decided; comers wait until then.
 *
 * <p><b>Not guaranteed.</b> After a broken end, its parties may still work while the next round is entered, until they
 * have heard of it. If another party comes in the place of one that went before those that wait had noticed, the round is
 * entered with it.
 *
 * <p><b>Failures.</b> As those of {@link Barrier}. A party whose session ended inside gets the verdict on entering, and
 * leaving throws {@link io.baton.SessionLostException}; or {@link io.baton.OutcomeUnknownException} if it was ready to
 * leave, and its round is not kept any more.
 *
 * <p><b>The number of parties</b> is in the record. A party that asks for another number is refused with both. To change
 * it, delete the record of the barrier's name in the tree {@link #TREE} while nobody waits or is inside.
 *
 * <p><b>Cost.</b> Entering reads the record and joins, leaving joins once more; each party reads the list of parties with
 * each entry that comes. A verdict is one write for all. The object keeps no state. Any thread may use it.
 */
public final class DoubleBarrier {

    /** The tree of records with the rounds, one by the barrier's name; they stay there. */
    public static final String TREE = "baton.doublebarriers";

    /** The most parties of a double barrier: one transaction removes two entries of each. */
    public static final int MAX_PARTIES = 60;

    /** How many rounds are kept for parties that hear of them late. */
    public static final int KEPT_ROUNDS = 32;

    private final String name;
    private final int parties;
    private final RecipeContext context;

    private DoubleBarrier(String name, int parties, RecipeContext context) {
        this.name = name;
        this.parties = parties;
        this.context = context;
    }

    /**
     * Returns the double barrier of this name. Does not contact the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @param parties how many enter and leave together, from 1 to {@link #MAX_PARTIES}; the same in all programs
     * @throws IllegalArgumentException also if the store may lose acknowledged writes, unless {@code acceptLoss} is set
     *     in the coordinator's options
     */
    public static DoubleBarrier named(Coordinator coordinator, String name, int parties) {
        if (parties < 1 || parties > MAX_PARTIES) {
            throw new IllegalArgumentException("a double barrier has 1 to " + MAX_PARTIES + " parties, not " + parties);
        }
        RecipeContext context = RecipeContext.of(coordinator, "double barriers");
        context.requireNoLoss("a double barrier");
        return new DoubleBarrier(name, parties, context);
    }

    /** Returns the barrier's name. */
    public String name() {
        return name;
    }

    /** Returns how many parties enter and leave together. */
    public int parties() {
        return parties;
    }

    /**
     * Waits until all parties are there and the round before has ended, or one of those that wait has gone.
     *
     * @return the round; {@link DoubleBarrierRound#entry} says whether it was entered
     * @throws io.baton.CoordinationException if the barrier has another number of parties
     * @throws InterruptedException if interrupted; this party has gone
     */
    @CheckReturnValue
    public DoubleBarrierRound enter() throws InterruptedException {
        return begin().await();
    }

    /**
     * As {@link #enter()}, but goes after this time. If all parties were there first, the round is returned as entered,
     * however late.
     *
     * @param timeout how long to wait, more than zero
     */
    @CheckReturnValue
    public DoubleBarrierRound enter(Duration timeout) throws InterruptedException {
        PartyWait.check(timeout);
        return begin().await(timeout);
    }

    /**
     * {@link #enter()} without waiting. The future completes on a callback thread. Cancelling it takes this party out,
     * also if the round has been entered meanwhile.
     */
    @CheckReturnValue
    public CompletableFuture<DoubleBarrierRound> enterAsync() {
        return begin().async();
    }

    private PartyWait<DoubleBarrierRound> begin() {
        return DoubleBarrierParty.enter(context, name, parties);
    }

    @Override
    public String toString() {
        return "double barrier '" + name + "' of " + parties;
    }
}
