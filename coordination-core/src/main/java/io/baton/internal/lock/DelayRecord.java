package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.LockOptions;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.util.Map;

/**
 * What is on record of a lock that may rest between two holds.
 *
 * @param holdAtLeast the option on which all contenders agree, in milliseconds
 * @param delayAfterLoss the other one
 * @param token the token of the last hold
 * @param grantedAt when it was granted, by its client's wall clock; 0 once it has been held for long enough
 * @param released whether it was released
 */
record DelayRecord(long holdAtLeast, long delayAfterLoss, long token, long grantedAt, boolean released) {

    /** The tree of the records. */
    static final String TREE = "baton.delays";

    private static final String HOLD_AT_LEAST = "hold-at-least";
    private static final String DELAY_AFTER_LOSS = "delay-after-loss";
    private static final String TOKEN = "token";
    private static final String GRANTED_AT = "at";
    private static final String RELEASED = "released";

    /** Returns the record of a hold with this token that is granted now. */
    static DelayRecord granted(LockOptions options, long token, long wallMillis) {
        return new DelayRecord(
                options.holdAtLeast().toMillis(), options.delayAfterLoss().toMillis(), token, wallMillis, false);
    }

    /** Returns what a record says. */
    static DelayRecord of(Item record) {
        Map<String, String> lines = TextLines.decode(record.value());
        return new DelayRecord(
                number(lines, HOLD_AT_LEAST),
                number(lines, DELAY_AFTER_LOSS),
                number(lines, TOKEN),
                number(lines, GRANTED_AT),
                lines.containsKey(RELEASED));
    }

    private static long number(Map<String, String> lines, String key) {
        return TextLines.number(lines.getOrDefault(key, ""));
    }

    /** Returns the same hold as released; what it has to be held at least may be left. */
    DelayRecord asReleased() {
        return new DelayRecord(holdAtLeast, delayAfterLoss, token, grantedAt, true);
    }

    /** Returns the same hold as released, when it has been held for long enough. */
    DelayRecord asServed() {
        return new DelayRecord(holdAtLeast, delayAfterLoss, token, 0, true);
    }

    /** Returns the operation that writes this. */
    Op put(RecordKey key) {
        TextLines lines = new TextLines()
                .add(HOLD_AT_LEAST, Long.toString(holdAtLeast))
                .add(DELAY_AFTER_LOSS, Long.toString(delayAfterLoss))
                .add(TOKEN, Long.toString(token))
                .add(GRANTED_AT, Long.toString(grantedAt));
        if (released) {
            lines.add(RELEASED, "");
        }
        return Op.put(key, lines.bytes());
    }

    /**
     * Checks that a contender with these options agrees.
     *
     * @throws CoordinationException if it does not; the message has both values
     */
    void check(Resource lock, LockOptions options) {
        check(lock, "holdAtLeast", Duration.ofMillis(holdAtLeast), options.holdAtLeast());
        check(lock, "delayAfterLoss", Duration.ofMillis(delayAfterLoss), options.delayAfterLoss());
    }

    private static void check(Resource lock, String option, Duration stored, Duration asked) {
        if (stored.toMillis() != asked.toMillis()) {
            throw new CoordinationException(lock + " is used with " + option + " " + Texts.of(stored)
                    + ", and this program asks for " + Texts.of(asked) + ". All of its contenders must use the same. To"
                    + " change it, stop them, and delete the record "
                    + lock.record(TREE).name() + " of " + TREE);
        }
    }

    /**
     * Returns how long the lock still rests for a contender that is first in line, and has been for this long.
     *
     * @param first for how long
     * @param wallMillis the time of this client's wall clock
     */
    Duration rest(Duration first, long wallMillis) {
        // The hold began before the contender was first: so that moment bounds what two clocks may differ by.
        long sinceGrant = Math.max(wallMillis - grantedAt, first.toMillis());
        long leastLeft = holdAtLeast - sinceGrant;
        long lossLeft = released ? 0 : delayAfterLoss - first.toMillis();
        return Duration.ofMillis(Math.max(0, Math.max(leastLeft, lossLeft)));
    }
}
