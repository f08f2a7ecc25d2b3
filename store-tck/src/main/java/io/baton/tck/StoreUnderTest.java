package io.baton.tck;

import io.baton.spi.Peer;
import java.time.Duration;
import java.util.Optional;

/** A store as the contract suite needs it: an address of its own for one test, and ways to bring trouble about. */
public interface StoreUnderTest {

    /** Address of a namespace that nobody else uses. Clients that come this way call themselves {@code tck}. */
    String uri();

    /**
     * The same namespace by a way that {@link #breakContact} leaves alone; empty if there is none, and the tests that
     * need it are skipped. Clients that come this way call themselves {@code tck-steady}.
     */
    default Optional<String> steadyUri() {
        return Optional.empty();
    }

    /** The session timeout to test with. Breaking and restoring the contact must take much less. */
    Duration ttl();

    /** Ends a session at the store, so that its client has to find out. */
    void expire(String sessionId) throws Exception;

    /** Cuts the contact of all clients that came by {@link #uri}, and of those to come. */
    void breakContact() throws Exception;

    /** Ends what {@link #breakContact} began; without effect if there is contact. */
    void restoreContact() throws Exception;

    /**
     * Cuts at single messages of the clients that come by {@link #uri}; empty if there is no way to make them, and the
     * chapter on faults is skipped. It takes a {@link #steadyUri}, too.
     */
    default Optional<Cuts> cuts() {
        return Optional.empty();
    }

    /** Removes somebody's entry from its line, as an operator would by hand. */
    void removeEntry(Peer peer) throws Exception;

    /** The test is over, all its clients have been closed. */
    default void close() throws Exception {}
}
