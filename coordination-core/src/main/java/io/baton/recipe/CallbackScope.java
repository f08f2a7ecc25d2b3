package io.baton.recipe;

/** Tracks which threads are inside a callback. Any thread. */
final class CallbackScope {

    private static final ThreadLocal<Boolean> INSIDE = ThreadLocal.withInitial(() -> false);

    private CallbackScope() {}

    static boolean isInside() {
        return INSIDE.get();
    }

    static void run(Runnable task) {
        boolean before = INSIDE.get();
        INSIDE.set(true);
        try {
            task.run();
        } finally {
            if (before) {
                INSIDE.set(true);
            } else {
                INSIDE.remove();
            }
        }
    }
}
