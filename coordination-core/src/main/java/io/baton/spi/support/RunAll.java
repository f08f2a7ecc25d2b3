package io.baton.spi.support;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps that are all taken, also past one that throws. */
public final class RunAll {

    private RunAll() {}

    /** Takes them all, in order. */
    public static void all(Runnable... steps) {
        all(List.of(steps));
    }

    /** What was thrown first is thrown at the end, for the loop to report. */
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
            before.addSuppressed(now);
            return before;
        }
    }
}
