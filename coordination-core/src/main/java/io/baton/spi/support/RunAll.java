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

    /** Runs all steps, then throws the first failure, for the loop to report; later failures are suppressed. */
    public static void all(List<Runnable> steps) {
        RuntimeException first = null;
        for (Runnable step : steps) {
            first = take(step, first);
        }
        if (first != null) {
            throw first;
        }
    }

    private static @Nullable RuntimeException take(Runnable step, @Nullable RuntimeException before) {
        try {
            step.run();
            return before;
        } catch (Throwable broken) {
            RuntimeException now = broken instanceof RuntimeException known ? known : new IllegalStateException(broken);
            if (before == null) {
                return now;
            }
            if (now != before) { // as one that is thrown again and again is, and it cannot suppress itself
                before.addSuppressed(now);
            }
            return before;
        }
    }
}
