package io.baton.recipes.internal;

import io.baton.recipe.RecipeContext;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A step that has failed and comes again after a pause, or earlier if there is no point in waiting. On the loop. */
final class PausedStep {

    private final RecipeContext context;
    private @Nullable Runnable step;

    /** None so far. */
    PausedStep(RecipeContext context) {
        this.context = context;
    }

    /** Runs the step after this pause. There is one at a time. */
    void later(Duration pause, Runnable again) {
        step = again;
        context.loop().after(pause, () -> {
            if (step == again) {
                now();
            }
        });
    }

    /** Runs the step now, if one waits. */
    void now() {
        Runnable again = step;
        if (again != null) {
            step = null;
            again.run();
        }
    }
}
