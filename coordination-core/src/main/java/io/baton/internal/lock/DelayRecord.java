package io.baton.internal.lock;

import io.baton.IncompatibleOptionsException;
import io.baton.Item;
import io.baton.LockDelays;
import io.baton.LockOptions;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.recipe.Resource;
import io.baton.recipe.TextLines;
import io.baton.recipe.Texts;
import java.time.Duration;
import java.util.Map;

/**
 * What is on record of a lock that may rest between two holds. Times are those of clients' wall clocks, in milliseconds
 * since 1970.
 *
 * @param holdAtLeast the option on which all contenders agree, in milliseconds
 * @param delayAfterLoss the other one
 * @param token the token of the last hold
 * @param grantedAt when it was granted; 0 once it has been held for long enough
 * @param released whether it was released
 * @param goneAt when its entry was first seen to be gone while the lock had to rest; 0 if it was not
 */
record DelayRecord(long holdAtLeast, long delayAfterLoss, long token, long grantedAt, boolean released, long goneAt) {

    /** The tree of the records. */
    static final String TREE = "baton.delays";

    private static final String HOLD_AT_LEAST = "hold-at-least";
    private static final String DELAY_AFTER_LOSS = "delay-after-loss";
    private static final String TOKEN = "token";
    private static final String GRANTED_AT = "at";
    private static final String RELEASED = "released";
    private static final String GONE_AT = "gone";

    /** Returns the record of a hold with this token that is granted now. */
    static DelayRecord granted(LockOptions options, long token, long wallMillis) {
        return new DelayRecord(
                options.holdAtLeast().toMillis(), options.delayAfterLoss().toMillis(), token, wallMillis, false, 0);
    }

    /** Returns what a record says. */
    static DelayRecord of(Item record) {
        Map<String, String> lines = TextLines.decode(record.value());
        return new DelayRecord(
                number(lines, HOLD_AT_LEAST),
                number(lines, DELAY_AFTER_LOSS),
                number(lines, TOKEN),
                number(lines, GRANTED_AT),
                lines.containsKey(RELEASED),
                number(lines, GONE_AT));
    }

    private static long number(Map<String, String> lines, String key) {
        return TextLines.number(lines.getOrDefault(key, ""));
    }

    /** Returns the same hold as released; what it has to be held at least may be left. */
    DelayRecord asReleased() {
        return new DelayRecord(holdAtLeast, delayAfterLoss, token, grantedAt, true, goneAt);
    }

    /** Returns the same hold as one after which the lock need not rest. */
    DelayRecord asServed() {
        return new DelayRecord(holdAtLeast, delayAfterLoss, token, 0, true, 0);
    }

    /** Whether the lock need not rest after this hold. */
    boolean isServed() {
        return released && grantedAt == 0;
    }

    /** Returns the same hold, whose entry is gone by now. */
    DelayRecord asGone(long wallMillis) {
        return new DelayRecord(holdAtLeast, delayAfterLoss, token, grantedAt, released, wallMillis);
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
        if (goneAt > 0) {
            lines.add(GONE_AT, Long.toString(goneAt));
        }
        return Op.put(key, lines.bytes());
    }

    /**
     * Checks that a contender with these options agrees.
     *
     * @throws IncompatibleOptionsException if it does not; the message has both values
     */
    void check(Resource lock, LockOptions options) {
        check(lock, "holdAtLeast", Duration.ofMillis(holdAtLeast), options.holdAtLeast());
        check(lock, "delayAfterLoss", Duration.ofMillis(delayAfterLoss), options.delayAfterLoss());
    }

    private static void check(Resource lock, String option, Duration stored, Duration asked) {
        if (stored.toMillis() != asked.toMillis()) {
            throw new IncompatibleOptionsException(lock + " is used with " + option + " " + Texts.of(stored)
                    + ", and this program asks for " + Texts.of(asked) + ". All of its contenders must use the same. To"
                    + " change it, stop them, and delete the record "
                    + lock.record(TREE).name() + " of " + TREE);
        }
    }

    /**
     * Returns how long the lock still rests for a contender that has found no entry ahead for this long.
     *
     * @param first for how long
     * @param wallMillis the time of this client's wall clock
     */
    Duration rest(Duration first, long wallMillis) {
        long sinceGone = sinceGone(first, wallMillis);
        return left(Math.max(holdLeft(sinceGone, wallMillis), lossLeft(sinceGone)));
    }

    /** Returns the options, and how long the lock rests for a contender that finds no entry ahead now. */
    LockDelays resting(long wallMillis) {
        long sinceGone = sinceGone(Duration.ZERO, wallMillis);
        return delays(left(holdLeft(sinceGone, wallMillis)), left(lossLeft(sinceGone)));
    }

    /** Returns the options of a lock whose last hold's entry stands. */
    LockDelays standing() {
        return delays(Duration.ZERO, Duration.ZERO);
    }

    private LockDelays delays(Duration holdLeft, Duration lossLeft) {
        return new LockDelays(Duration.ofMillis(holdAtLeast), Duration.ofMillis(delayAfterLoss), holdLeft, lossLeft);
    }

    /** The hold had begun, and ended, by the time at which its entry was seen to be gone. */
    private long sinceGone(Duration first, long wallMillis) {
        return Math.max(first.toMillis(), goneAt > 0 ? wallMillis - goneAt : 0);
    }

    private long holdLeft(long sinceGone, long wallMillis) {
        return holdAtLeast - Math.max(wallMillis - grantedAt, sinceGone);
    }

    private long lossLeft(long sinceGone) {
        return released ? 0 : delayAfterLoss - sinceGone;
    }

    private static Duration left(long millis) {
        return Duration.ofMillis(Math.max(0, millis));
    }
}
