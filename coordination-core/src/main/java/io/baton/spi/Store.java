package io.baton.spi;

/** A coordination service as Baton sees it: it opens sessions. Holds no connection of its own. */
public interface Store {

    /** What this store promises; a recipe that needs more refuses at construction. */
    Guarantees guarantees();

    /**
     * Refuses a line that nobody can join on this store.
     *
     * @throws IllegalArgumentException if its path or its dialect is not possible here; the message says why
     */
    void check(Line line);

    /**
     * Starts a session and returns at once.
     *
     * @param spec what the client asks of its session
     * @param loop the thread that will own the session
     * @param to told of the session's life, on the loop, never from within this call
     * @throws IllegalArgumentException if the timings asked for cannot work on this store; the message says why
     */
    Session open(SessionSpec spec, Loop loop, SessionListener to);
}
