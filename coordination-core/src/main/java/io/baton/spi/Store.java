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
     * Starts a session and returns at once. A ttl that is too short for this store is raised to the shortest that works,
     * unless it is strict; {@link Session#whyTimeoutRaised} tells why.
     *
     * @param spec what the client asks of its session
     * @param loop the thread that will own the session
     * @param to told of the session's life, on the loop, never from within this call
     * @throws IllegalArgumentException if the ttl is too short for this store and strict; the message says why
     */
    Session open(SessionSpec spec, Loop loop, SessionListener to);
}
