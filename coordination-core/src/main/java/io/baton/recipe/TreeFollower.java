package io.baton.recipe;

import io.baton.spi.TreeListener;

/** Follows a tree of records across sessions, and the contact with the store. Called on the loop. */
public interface TreeFollower extends TreeListener {

    /** In contact. After a loss, what is known is the newest only with the next snapshot. */
    void connected();

    /** Out of contact. */
    void suspended();

    /** The session is over. */
    void lost();

    /** The end: it is not called any more. */
    void closed();
}
