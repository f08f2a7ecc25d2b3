package io.baton.internal.lock;

import io.baton.RecordKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The holds of one coordinator that may be on record though nobody had them: each keeps nobody out. On the loop.
 *
 * <p>A thousand locks are known. The record of one that is forgotten counts as a hold: others may wait in vain, and
 * never too little.
 */
final class UnusedHolds {

    private static final int MOST = 1_000;

    private final Map<RecordKey, Long> tokens = new LinkedHashMap<>();

    /** Notes that nobody had the hold with this token. Later holds of a lock have higher ones. */
    void add(RecordKey lock, long token) {
        tokens.merge(lock, token, Math::max);
        if (tokens.size() > MOST) {
            tokens.remove(tokens.keySet().iterator().next());
        }
    }

    /** Whether nobody had the hold that is on record of this lock. */
    boolean contain(RecordKey lock, DelayRecord last) {
        Long token = tokens.get(lock);
        return token != null && token == last.token();
    }
}
