package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import java.time.Duration;

/**
 * The refusals in a row of a step that a recipe repeats, as for want of a permission or of space. From the third on
 * they are a {@linkplain RefusalTrouble trouble} of the coordinator, and the pauses between them grow to about half a
 * minute. Breaks of contact are none: they are reported as such, and end by themselves. On the loop.
 */
final class StoreRefusals {

    private static final int LASTING = 3;
    private static final int MOST_DOUBLINGS = 7;

    private final RecipeContext context;
    private final RefusalTrouble trouble;
    private int inARow;
    private int lasting;

    /**
     * None so far.
     *
     * @param what what does not work, for people, as {@code Cannot decide on barrier 'load'}
     */
    StoreRefusals(RecipeContext context, String what) {
        this(context, new RefusalTrouble(context, what));
    }

    /** None so far, of a step that shares its trouble with others. */
    StoreRefusals(RecipeContext context, RefusalTrouble trouble) {
        this.context = context;
        this.trouble = trouble;
    }

    /** Counts this failure, unless it is a break of contact. */
    void failed(Throwable failure) {
        Throwable why = Futures.cause(failure);
        if (isRefusal(why)) {
            lasting++;
            refused(why);
        } else if (why instanceof StoreUnavailableException && context.inContact()) {
            refused(why);
        }
    }

    /** Counts this failure, whatever it is. */
    void refused(Throwable why) {
        inARow++;
        trouble.refused(this, why);
    }

    /** Whether the store has refused a step: it has changed nothing, and would probably refuse it again. */
    static boolean isRefusal(Throwable why) {
        return why instanceof CoordinationException && !(why instanceof LockLostException) && !Futures.isTransient(why);
    }

    /**
     * Whether the store has refused the step so often that it probably will again, to this client. A store that takes no
     * writes, as it has no space or is overloaded, does so to all, and that may end at any time.
     */
    boolean isLasting() {
        return lasting >= LASTING;
    }

    /** The step has succeeded, or is no longer wanted and has its trouble for itself. */
    void over() {
        trouble.succeeded(this);
        inARow = 0;
        lasting = 0;
    }

    /** The step is no longer wanted. Others that share its trouble go on from what the store has refused so far. */
    void ended() {
        trouble.ended(this);
    }

    /** Returns the pause before the next attempt: this one, which doubles with each refusal after the first. */
    Duration pause(Duration first) {
        return context.loop().jittered(first.multipliedBy(1L << Math.min(Math.max(inARow - 1, 0), MOST_DOUBLINGS)));
    }
}
