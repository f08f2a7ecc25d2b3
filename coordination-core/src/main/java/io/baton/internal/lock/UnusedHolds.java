package io.baton.internal.lock;

import io.baton.RecordKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Knows the holds of one coordinator that may be on record although they were never granted. Such a hold keeps nobody
 * out. On the loop.
 *
 * <p>A thousand locks are known. The record of one that is forgotten counts as a hold: others may wait in vain, and
 * never too little.
 */
final class UnusedHolds {

    private static final int MOST = 1_000;

    private final Map<RecordKey, Long> tokens = new LinkedHashMap<>();

    /** Notes that the hold with this token was never granted. Later holds of a lock have higher tokens. */
    void add(RecordKey lock, long token) {
        tokens.merge(lock, token, Math::max);
        if (tokens.size() > MOST) {
            tokens.remove(tokens.keySet().iterator().next());
        }
    }

    /** Returns whether the hold on record of this lock was never granted. */
    boolean contain(RecordKey lock, DelayRecord last) {
        Long token = tokens.get(lock);
        return token != null && token == last.token();
    }
}
