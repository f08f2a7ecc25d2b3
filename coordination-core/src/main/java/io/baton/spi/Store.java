package io.baton.spi;

/** A coordination service on which Baton opens sessions. It holds no connection of its own. */
public interface Store {

    /** Returns what this store promises. A recipe that needs more refuses the store at construction. */
    Guarantees guarantees();

    /**
     * Refuses a line that cannot exist on this store.
     *
     * @throws IllegalArgumentException if the store does not support its path or its dialect; the message says why
     */
    void check(Line line);

    /**
     * Starts a session and returns at once. A ttl below the store's minimum is raised to the minimum, unless it is
     * strict; {@link Session#whyTimeoutRaised} says why.
     *
     * @param spec what the client asks of its session
     * @param loop the thread that will own the session
     * @param to receives the session's events, on the loop, never from within this call
     * @throws IllegalArgumentException if the ttl is strict and too short for this store; the message says why
     */
    Session open(SessionSpec spec, Loop loop, SessionListener to);
}
