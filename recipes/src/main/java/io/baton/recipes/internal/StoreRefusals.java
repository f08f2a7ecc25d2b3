package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import java.time.Duration;

/**
 * The refusals in a row of a step that a recipe repeats, as for want of a permission or of space. From the third on they
 * are a trouble of the coordinator, and the pauses between them grow to about half a minute. Breaks of contact are none:
 * they are reported as such, and end by themselves. On the loop.
 */
final class StoreRefusals {

    private static final int REPORTED = 3;
    private static final int MOST_DOUBLINGS = 7;

    private final RecipeContext context;
    private final String what;
    private int inARow;
    private int lasting;

    /**
     * None so far.
     *
     * @param what what does not work, for people, as {@code Cannot decide on barrier 'load'}
     */
    StoreRefusals(RecipeContext context, String what) {
        this.context = context;
        this.what = what;
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
        if (inARow >= REPORTED) {
            context.reportTrouble(what, String.valueOf(why.getMessage()));
        }
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
        return lasting >= REPORTED;
    }

    /** The step has succeeded, or is no longer wanted. */
    void over() {
        if (inARow >= REPORTED) {
            context.resolveTrouble(what);
        }
        inARow = 0;
        lasting = 0;
    }

    /** Returns the pause before the next attempt: this one, which doubles with each refusal after the first. */
    Duration pause(Duration first) {
        return context.loop().jittered(first.multipliedBy(1L << Math.min(Math.max(inARow - 1, 0), MOST_DOUBLINGS)));
    }
}
