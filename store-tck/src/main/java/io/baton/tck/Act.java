package io.baton.tck;

/** What a client does while its contact is cut, at each of its messages in turn. */
public enum Act {
    /** Connects. */
    OPEN,
    /** Joins a line that was never used before, and is granted. */
    JOIN,
    /** Joins, and cancels before it has its place. */
    JOIN_AND_CANCEL,
    /** Joins behind another contender, and waits. */
    WAIT,
    /** Waits, and is granted when its predecessor leaves. */
    HAND_OFF,
    /** Waits, and leaves. */
    LEAVE,
    /** Holds, and releases while another contender waits. */
    RELEASE,
    /** As {@link #WAIT}, after the first answer was lost; the cut hits the recovery. */
    WAIT_IN_DOUBT,
    /** As {@link #JOIN_AND_CANCEL}, after the first answer was lost. */
    CANCEL_IN_DOUBT,
    /** As {@link #RELEASE}, after the first answer was lost. */
    RELEASE_IN_DOUBT,
    /** Holds, and proves its session alive. */
    HEARTBEAT,
    /** Writes a record, guarded by its hold. */
    WRITE,
    /** Writes a record that must not exist, guarded by its hold. */
    CREATE,
    /** Writes a record that must be unchanged, guarded by its hold; another record of the tree was deleted. */
    COMPARE,
    /** Stands first, removes the contenders between itself and a successor, and writes a record, guarded by both. */
    REMOVE,
    /** Stands first, and removes its own entry, guarded by that of its successor. */
    REMOVE_ITSELF,
    /** Holds for itself alone, and downgrades its claim while others wait. */
    DOWNGRADE,
    /** Waits to share, and is granted when the holder downgrades its claim. */
    SHARE,
    /** Waits for permits, and is granted when there is room. */
    PERMITS,
    /** Acquires several locks, and waits for one of them. */
    ACQUIRE_ALL,
    /** Waits for one of several locks, and cancels. */
    CANCEL_ALL,
    /** Acquires several locks for too short a time, as one of them is taken. */
    TIME_OUT_ALL,
    /** Holds several locks, and releases them. */
    RELEASE_ALL,
    /** Waits for its turn with several owners in one place, who then hold one after the other. */
    TAKE_TURNS,
    /** Waits with several owners in one place, who all cancel. */
    LEAVE_SHARED,
    /** Holds, and keeps its place after the release until another contender comes. */
    LINGER,
    /** Holds a lock that must be held for a while, and releases it at once. */
    RELEASE_EARLY,
    /** Holds a lock that rests after a loss, and releases it. */
    RELEASE_IN_TIME,
    /** Joins the line of a lock that rests after a loss, and cancels at about the grant. */
    CANCEL_RESTING,
    /** Holds a lock that rests after a loss, is evicted, and releases too late. */
    LOSE,
    /** Waits for a lock that rests, as its holder has lost it. */
    WAIT_OUT,
    /** Asks the holder to release. */
    ASK_TO_RELEASE,
    /** Holds, refuses a request to release, and follows the next one. */
    BE_ASKED,
    /** Evicts the holder. */
    EVICT,
    /** Starts to follow a configuration, which then changes. */
    FOLLOW,
    /** Writes a change of a configuration. */
    COMMIT,
    /** Adds to a counter. */
    ADD,
    /** Takes a block of a sequence. */
    NUMBER,
    /** Opens a latch. */
    OPEN_LATCH,
    /** Counts down at a latch. */
    COUNT_DOWN,
    /** Waits for a latch that is released then. */
    AWAIT_LATCH,
    /** Begins the next round of a latch. */
    RESET_LATCH,
    /** Takes a seat. */
    TAKE_SEAT,
    /** Gives a seat back, for which another client waits. */
    GIVE_SEAT_BACK,
    /** Asks another client, and gets the answer. */
    ASK,
    /** Answers the question of another client. */
    ANSWER,
    /** Joins a group, and leaves it. */
    JOIN_GROUP,
    /** Waits at a barrier with another client. */
    AWAIT_BARRIER,
    /** Waits at a barrier for too short a time. */
    LEAVE_BARRIER,
    /** Enters a double barrier with another client. */
    ENTER_DOUBLE,
    /** Is inside a double barrier with another client, and leaves. */
    LEAVE_DOUBLE,
    /** Is inside a double barrier with another client, and goes. */
    CLOSE_DOUBLE
}
