package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.internal.NumberBlocks;
import java.util.concurrent.CompletableFuture;

/**
 * Unique numbers for all processes, from 1, with gaps. Each object takes a block of numbers from the store, and hands
 * them out without contacting it.
 *
 * <pre>{@code
 * Sequence orders = Sequence.named(baton, "order", 1_000);
 * long number = orders.next();
 * }</pre>
 *
 * <p><b>Guarantees.</b> A number is returned once, by one object of all processes, also if connections break. Those of
 * one object rise in the order of the calls.
 *
 * <p><b>Not guaranteed.</b> Numbers of different objects come in any order. Numbers are left out: those of a block that
 * a process did not use up before it ended, and a block whose taking was not acknowledged. If the record is deleted, or
 * the store is set back to an older state, numbers are returned again.
 *
 * <p><b>Cost.</b> One or two round trips for each block, as for a change of a {@link Counter}, and no request in
 * between. Callers that need a new block at the same time share it. So keep one object per process. {@link
 * Long#MAX_VALUE} is never returned.
 */
public final class Sequence {

    /** The tree of records with the first number that is in no block, by the sequence's name; they stay there. */
    public static final String TREE = "baton.sequences";

    private final String name;
    private final RecipeContext context;
    private final NumberBlocks blocks;

    private Sequence(String name, RecipeContext context, int blockSize) {
        this.name = name;
        this.context = context;
        this.blocks = new NumberBlocks(context, new RecordKey(TREE, name), blockSize);
    }

    /**
     * Returns the sequence of this name. Does not contact the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @param blockSize how many numbers this object takes at once, from 1. Others may use another size. A larger one
     *     means fewer requests and larger gaps.
     * @throws IllegalArgumentException if the store may lose acknowledged writes, unless {@code acceptLoss} is set in
     *     the coordinator's options
     */
    public static Sequence named(Coordinator coordinator, String name, int blockSize) {
        if (blockSize < 1) {
            throw new IllegalArgumentException("a block of a sequence has at least one number, not " + blockSize);
        }
        RecipeContext context = RecipeContext.of(coordinator, "sequences");
        context.requireNoLoss("a sequence");
        return new Sequence(name, context, blockSize);
    }

    /** Returns the sequence's name. */
    public String name() {
        return name;
    }

    /**
     * Returns the next number. Waits for the store if a block has to be taken, for about the request timeout at most.
     *
     * @throws io.baton.StoreUnavailableException if no block could be taken, or 10,000 calls wait for one already; call
     *     it again
     * @throws io.baton.CoordinationException if no number is left
     * @throws io.baton.CoordinatorClosedException if the coordinator is closed
     */
    @CheckReturnValue
    public long next() throws InterruptedException {
        return Futures.interruptibly(blocks.next());
    }

    /** {@link #next} without waiting. A number whose future was cancelled is not returned again. */
    @CheckReturnValue
    public CompletableFuture<Long> nextAsync() {
        return context.callbacks().completeInCallback(blocks.next());
    }

    @Override
    public String toString() {
        return "sequence '" + name + "'";
    }
}
