package io.baton.tck.sim.lock;

import io.baton.testkit.sim.SimProcess;

/** The contact of one session with its store, as the simulated world sees it. */
public interface Contact {

    /** The process of the session's client. */
    SimProcess process();

    /** Whether the store has this id for the session. */
    boolean isOf(long session);

    /** Whether the client's library has contact with a server. */
    boolean inContact();

    /**
     * Whether messages pass. The connection is whole and not delayed. Its server runs, is not overloaded and does not
     * lag. The voting servers have the same state and form a quorum.
     */
    boolean undisturbed();

    /**
     * Increases with each fault that leaves no lasting trace, such as a torn connection, and with each change of the
     * leader.
     */
    long disturbances();

    /** Whether the client has closed it for good. */
    boolean closed();
}
