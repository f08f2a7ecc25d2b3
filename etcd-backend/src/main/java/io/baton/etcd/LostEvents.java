package io.baton.etcd;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts removals that an audit has found before their events, though the session watched for them. Events and answers
 * arrive in any order, so such an event may be lost or late. The two cannot be distinguished here, so it is logged at
 * debug level only.
 */
final class LostEvents {

    private static final Logger log = LoggerFactory.getLogger(LostEvents.class);

    private long count;
    private String newest = "";

    /**
     * An audit has found that this key has gone. A place whose own entry stands waits for it, and no read is in flight.
     */
    void found(String key) {
        newest = key;
        count++;
        log.debug(
                "An audit found that {} has gone, and the event of that has not come: it is late, or the server did not"
                        + " send it. The waiter goes on. Servers are known to lose events, see"
                        + " docs/internals/known-bugs.md.",
                key);
    }

    /** The number of such events. */
    long count() {
        return count;
    }

    /** The newest such key; empty without one. */
    String newest() {
        return newest;
    }
}
