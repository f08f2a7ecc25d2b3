package io.baton.config.internal.record;

import io.baton.recipe.ClientLoop;

/** Unique random ids. On the loop. */
public final class Ids {

    private Ids() {}

    public static String next(ClientLoop loop) {
        return String.format("%016x%016x", loop.randomLong(), loop.randomLong());
    }

    /** Returns an id that is short enough to type. */
    public static String brief(ClientLoop loop) {
        return String.format("%08x", (int) loop.randomLong());
    }
}
