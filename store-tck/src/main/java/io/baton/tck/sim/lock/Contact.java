package io.baton.tck.sim.lock;

import io.baton.testkit.sim.SimProcess;

/** The contact of one session with its store, as the simulated world knows it. */
public interface Contact {

    /** Where the session's client runs. */
    SimProcess process();

    /** Whether the store knows the session by this number. */
    boolean isOf(long session);

    /** Whether the client's library has contact with a server. */
    boolean inContact();

    /**
     * Whether messages pass: the connection is whole and not delayed, its server runs, is not overloaded and does not lag,
     * and the servers that take decisions are of the same state, and a quorum.
     */
    boolean undisturbed();

    /** Rises with each fault that leaves no lasting trace, such as a torn connection, and with each change of the leader. */
    long disturbances();

    /** Whether the client has closed it for good. */
    boolean closed();
}
