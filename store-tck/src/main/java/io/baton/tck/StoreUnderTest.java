package io.baton.tck;

import io.baton.spi.Peer;
import java.time.Duration;
import java.util.Optional;

/** A store for the contract tests: an address for one test, and ways to cause faults. */
public interface StoreUnderTest {

    /** The address of a namespace that no other client uses. Clients with this address use the name {@code tck}. */
    String uri();

    /**
     * An address of the same namespace that {@link #breakContact} does not affect; empty if there is none, which skips
     * the tests that need it. Clients with this address use the name {@code tck-steady}.
     */
    default Optional<String> steadyUri() {
        return Optional.empty();
    }

    /** The timeout of sessions that tests let end by themselves. Breaking and restoring the contact must take much less. */
    Duration ttl();

    /** Ends a session at the store; its client has to find out by itself. */
    void expire(String sessionId) throws Exception;

    /** Cuts the contact of all present and future clients that use {@link #uri}. */
    void breakContact() throws Exception;

    /** Ends the effect of {@link #breakContact}; no effect without it. */
    void restoreContact() throws Exception;

    /**
     * Cuts at single messages of the clients that use {@link #uri}; needs a {@link #steadyUri} as well. Empty if there
     * is no way to make them, which skips the chapter on faults.
     */
    default Optional<Cuts> cuts() {
        return Optional.empty();
    }

    /**
     * Lets the store fail over; needs a {@link #steadyUri} as well. Empty if there is no way to make it, which skips the
     * chapter on that.
     */
    default Optional<FailOver> failOver() {
        return Optional.empty();
    }

    /** Removes a contender's entry from its line, as an operator would by hand. */
    void removeEntry(Peer peer) throws Exception;

    /** Ends the test; all its clients have been closed. */
    default void close() throws Exception {}
}
