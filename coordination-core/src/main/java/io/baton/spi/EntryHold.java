package io.baton.spi;

/** A {@link io.baton.Hold} whose entry a store can look at, in a transaction of the program. Any thread. */
public interface EntryHold {

    /** Returns the entry in the line that is this hold. */
    Peer peer();
}
