package io.baton.etcd;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The removals that this session watched for and was not told of before an audit found them. Events and answers come in
 * any order, so the event of such a removal may be lost, or late. As one cannot be told from the other here, this is no
 * warning.
 */
final class LostEvents {

    private static final Logger log = LoggerFactory.getLogger(LostEvents.class);

    private long count;
    private String newest = "";

    /** A place whose own entry stands waits for this key, and does not read; an audit has found it gone. */
    void found(String key) {
        newest = key;
        count++;
        log.debug(
                "An audit found that {} has gone, and the event of that has not come: it is late, or the server did not"
                        + " send it. The waiter goes on. Servers are known to lose events, see"
                        + " docs/internals/known-bugs.md.",
                key);
    }

    /** How many there were. */
    long count() {
        return count;
    }

    /** The key that was found last; empty if there was none. */
    String newest() {
        return newest;
    }
}
