package io.baton.config;

import io.baton.recipe.ClientLoop;

/** Names that nobody else chooses. On the loop. */
final class Ids {

    private Ids() {}

    static String next(ClientLoop loop) {
        return String.format("%016x%016x", loop.randomLong(), loop.randomLong());
    }

    /** One that people may type. */
    static String brief(ClientLoop loop) {
        return String.format("%08x", (int) loop.randomLong());
    }
}
