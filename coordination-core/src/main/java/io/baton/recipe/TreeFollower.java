package io.baton.recipe;

import io.baton.spi.TreeListener;

/** A listener for a tree of records, across sessions, and for the contact with the store. Called on the loop. */
public interface TreeFollower extends TreeListener {

    /** Contact was made. After a loss, the records are current only from the next snapshot on. */
    void connected();

    /** Contact was lost. */
    void suspended();

    /** The session ended. */
    void lost();

    /** The last call: no other follows. */
    void closed();
}
