package io.baton.chaos.client;

/** Something that is done with a recipe again and again, in a thread of its own. */
@FunctionalInterface
interface RecipeTurn {

    /** Does it once, for some seconds at most. */
    void play() throws InterruptedException;
}
