package io.baton.zookeeper;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The removals that a server has not told this session of, though it watched for them, and that an audit has found. A
 * server sends events and answers on one connection in one order. So an event that has to come before an answer is not
 * late when the answer comes; it is lost.
 */
final class LostEvents {

    private static final Logger log = LoggerFactory.getLogger(LostEvents.class);

    private final ZkSession session;
    private long count;
    private String newest = "";

    LostEvents(ZkSession session) {
        this.session = session;
    }

    /** A place whose own entry stands waits for the entry at this path; an audit has found that entry gone. */
    void predecessorRemoved(String path) {
        // Own entries are not watched; and of a watch that is not set yet, its own answer tells.
        if (session.ownEntries().at(path) == null && !session.watches().isBeingSet(path)) {
            found(path);
        }
    }

    /** The line of the entry at this path is followed without a gap; an audit has found that entry gone. */
    void followedRemoved(String path) {
        found(path);
    }

    private void found(String path) {
        newest = path;
        count++;
        if (count == 1) {
            log.warn(
                    "The server did not tell the session {} that {} has gone, although the session watched it. An audit"
                            + " found that, and the waiter goes on. Servers are known to lose events: ZOOKEEPER-3145, see"
                            + " docs/internals/known-bugs.md. Further ones of this session are logged at debug level.",
                    session.id(),
                    path);
        } else {
            log.debug(
                    "The server did not tell the session {} that {} has gone: lost event {}",
                    session.id(),
                    path,
                    count);
        }
    }

    /** How many there were. */
    long count() {
        return count;
    }

    /** The path of the entry that was found last; empty if there was none. */
    String newest() {
        return newest;
    }
}
