package io.baton.zookeeper;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts removals that the server did not report although the session watched for them, as audits find them. A server
 * sends events and answers on one connection in one order. So an event due before an answer is lost, not late, when the
 * answer arrives.
 */
final class LostEvents {

    private static final Logger log = LoggerFactory.getLogger(LostEvents.class);

    private final ZkSession session;
    private long count;
    private String newest = "";

    LostEvents(ZkSession session) {
        this.session = session;
    }

    /** An audit has found that this predecessor has gone, while the waiting place's own entry stands. */
    void predecessorRemoved(String path) {
        // Own entries are not watched. For a watch that is still being set, its own answer shows the removal.
        if (session.ownEntries().at(path) == null && !session.watches().isBeingSet(path)) {
            found(path);
        }
    }

    /** An audit has found that this entry has gone, in a line followed without a gap. */
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

    /** The number of lost events. */
    long count() {
        return count;
    }

    /** The path of the newest lost removal; empty without one. */
    String newest() {
        return newest;
    }
}
