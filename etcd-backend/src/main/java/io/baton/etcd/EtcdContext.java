package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Collection;
import java.util.function.BooleanSupplier;

/** What the parts of a session stand on. */
interface EtcdContext {

    /** For watches. */
    EtcdWire wire();

    /** For single requests. */
    RequestWindow window();

    Loop loop();

    /** The store's key for what is below the root. */
    String key(String below);

    /** What the keys of a line begin with, but for a slash at the end. */
    String key(Line line);

    /** In contact; then there is an epoch, too. */
    boolean inContact();

    /** Not over yet. */
    boolean isOpen();

    Duration timeout();

    String id();

    /** Runs the task once in contact again, if it is wanted then; the contact is lost, or about to be. */
    void onReconnect(BooleanSupplier wanted, Runnable task);

    /** Runs the task after a pause that grows with each attempt, unless the session is over by then. */
    void retryLater(int attempt, Runnable task);

    /** When the session's own key was last written: what every write compares. */
    EtcdWire.Compare.Written epoch();

    /** The highest revision that the store is known to have reached. */
    long knownRevision();

    /** Raises the epoch, in contact again if need be, and then runs: nothing sent before can be applied any more. */
    void settle(Runnable then);

    /** These entries have been removed at our own wish; the places of those that are ours are told. */
    void removed(Collection<EtcdWire.Compare.Created> entries);

    /** See {@link io.baton.spi.SessionListener#troubled}. */
    void reportTrouble(String what, String why);

    /** See {@link io.baton.spi.SessionListener#resolved}. */
    void resolveTrouble(String what);

    /** A write was refused by its epoch: the session finds out whether it is over. */
    void refusedByEpoch();
}
