package io.baton.spi.support;

import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs steps in order, even after one throws. */
public final class RunAll {

    private RunAll() {}

    /** Runs all steps, as {@link #all(List)} does. */
    public static void all(Runnable... steps) {
        all(List.of(steps));
    }

    /** Calls the action with each element of a copy, as {@link #all(List)} runs steps. */
    public static <T> void each(Collection<T> elements, Consumer<? super T> action) {
        all(elements.stream()
                .<Runnable>map(element -> () -> action.accept(element))
                .toList());
    }

    /**
     * Runs all steps, then throws the first failure as it is, for the loop to report; later failures are suppressed.
     */
    public static void all(List<Runnable> steps) {
        Throwable first = null;
        for (Runnable step : steps) {
            first = take(step, first);
        }
        if (first instanceof Error error) {
            throw error;
        } else if (first != null) {
            throw first instanceof RuntimeException known ? known : new IllegalStateException(first);
        }
    }

    private static @Nullable Throwable take(Runnable step, @Nullable Throwable before) {
        try {
            step.run();
            return before;
        } catch (Throwable broken) {
            if (before == null) {
                return broken;
            }
            if (broken != before) { // as one that is thrown again and again is, and it cannot suppress itself
                before.addSuppressed(broken);
            }
            return before;
        }
    }
}
