package io.baton.tck;

/** What a client is about while its contact is cut, at each single message of it in turn. */
public enum Act {
    /** It connects. */
    OPEN,
    /** It joins a line in which nobody has stood before, and is granted. */
    JOIN,
    /** It joins, and gives up before it knows of its place. */
    JOIN_AND_CANCEL,
    /** It joins behind somebody, and settles down to wait. */
    WAIT,
    /** It waits, and is granted as the one ahead leaves. */
    HAND_OFF,
    /** It waits, and gives up. */
    LEAVE,
    /** It holds, and releases while somebody waits. */
    RELEASE,
    /** As {@link #WAIT}, but its first answer has been lost already; what is cut is how it finds out. */
    WAIT_IN_DOUBT,
    /** As {@link #JOIN_AND_CANCEL}, but its first answer has been lost already. */
    CANCEL_IN_DOUBT,
    /** As {@link #RELEASE}, but its first answer has been lost already. */
    RELEASE_IN_DOUBT,
    /** It holds, and proves itself alive. */
    HEARTBEAT,
    /** It writes a record, guarded by its hold. */
    WRITE,
    /** It writes a record that must not exist, guarded by its hold. */
    CREATE,
    /** It writes a record that must be as it was read, guarded by its hold; another one of the tree has been deleted. */
    COMPARE,
    /** It stands first, and removes those behind it up to one who is to come next, and writes a record, guarded by both. */
    REMOVE,
    /** It stands first, and removes its own entry, guarded by that of the next. */
    REMOVE_ITSELF,
    /** It begins to follow a configuration, which then changes. */
    FOLLOW,
    /** It writes a change of a configuration. */
    COMMIT
}
