package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/** The parts of a session that other parts use. */
interface EtcdContext {

    /** For watches. */
    EtcdWire wire();

    /** For single requests. */
    RequestWindow window();

    Loop loop();

    /** The full key of a key below the root. */
    String key(String below);

    /** The prefix of a line's keys, without the trailing slash. */
    String key(Line line);

    /** Whether there is contact, and so an epoch. */
    boolean inContact();

    /** Whether the session has not ended. */
    boolean isOpen();

    Duration timeout();

    String id();

    /** Runs the task once on reconnecting, if {@code wanted} holds then. The contact is lost, or about to be. */
    void onReconnect(BooleanSupplier wanted, Runnable task);

    /** Runs the task after a pause that grows with each attempt, unless the session has ended by then. */
    void retryLater(int attempt, Runnable task);

    /** The condition on the last write of the session's own key, which every write compares. */
    EtcdWire.Compare.Written epoch();

    /** The highest revision that the store is known to have reached. */
    long knownRevision();

    /**
     * Raises the epoch, after a reconnect if need be, and then runs the task: no earlier request can be applied any
     * more.
     */
    void settle(Runnable then);

    /** Notifies this session's places whose entries were removed by its own request. */
    void removed(Collection<EtcdWire.Compare.Created> entries);

    /** See {@link io.baton.spi.SessionListener#troubled}. */
    void reportTrouble(String what, String why);

    /** See {@link io.baton.spi.SessionListener#resolved}. */
    void resolveTrouble(String what);

    /** The epoch refused a write: the session checks whether it has ended. */
    void refusedByEpoch();
}
