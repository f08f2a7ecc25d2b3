package io.baton.recipes.internal;

import io.baton.recipe.RecipeContext;
import java.util.HashSet;
import java.util.Set;

/**
 * A trouble of the coordinator: the store refuses what one or more steps want that are the same for people. It is
 * reported from the third refusal in a row on, whichever steps are refused, and lasts until none of them is refused any
 * more. On the loop.
 */
final class RefusalTrouble {

    private static final int REPORTED = 3;

    private final RecipeContext context;
    private final String what;
    private final Set<StoreRefusals> refused = new HashSet<>();
    private int inARow;

    /**
     * None so far.
     *
     * @param what what does not work, for people, as {@code Cannot decide on barrier 'load'}
     */
    RefusalTrouble(RecipeContext context, String what) {
        this.context = context;
        this.what = what;
    }

    /** This step is refused. */
    void refused(StoreRefusals step, Throwable why) {
        refused.add(step);
        inARow++;
        if (inARow >= REPORTED) {
            context.reportTrouble(what, String.valueOf(why.getMessage()));
        }
    }

    /** This step has succeeded. */
    void succeeded(StoreRefusals step) {
        ended(step);
        if (refused.isEmpty()) {
            inARow = 0;
        }
    }

    /** This step is no longer wanted, which says nothing about the store: the refusals remain in a row. */
    void ended(StoreRefusals step) {
        if (refused.remove(step) && refused.isEmpty() && inARow >= REPORTED) {
            context.resolveTrouble(what);
        }
    }
}
