package io.baton.cli.run;

import io.baton.HoldState;
import java.time.Duration;

/**
 * Decides when a running command must end, from the state of its mandate.
 *
 * <p>A healthy hold always has half of its session timeout left. The command must end when less than {@code grace} is
 * left, and also less than 45 % of the most ever seen. While in contact with the store, the schedule waits a little for
 * confirmation, since a process that was merely paused renews its hold at once.
 */
final class KillSchedule {

    /** What to do now. */
    enum Act {
        NOTHING,
        TERM,
        KILL
    }

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration DOUBT = Duration.ofMillis(500);
    /** The time it takes to send SIGKILL. */
    private static final Duration LEAD = Duration.ofMillis(100);

    private final Duration grace;
    private Duration most = Duration.ZERO;
    private boolean doubting;
    private long doubtSince;
    private boolean recalled;
    private long recalledAt;
    private boolean asked;
    private boolean killed;

    KillSchedule(Duration grace) {
        this.grace = grace;
    }

    /** The action for the hold at this moment; TERM and KILL are returned once each. */
    Act nextAct(long nowNanos, HoldState state, Duration remaining) {
        if (remaining.compareTo(most) > 0) {
            most = remaining;
        }
        if (state == HoldState.LOST || state == HoldState.RELEASED || remaining.compareTo(lead()) <= 0) {
            return kill();
        }
        if (remaining.compareTo(limit()) >= 0) {
            doubting = false;
            return Act.NOTHING;
        }
        if (state == HoldState.JEOPARDY || stillDoubting(nowNanos)) {
            return term();
        }
        return Act.NOTHING;
    }

    /** As {@link #nextAct}, when the command must end whatever time is left. */
    Act recalled(long nowNanos) {
        if (!recalled) {
            recalled = true;
            recalledAt = nowNanos;
        }
        return nowNanos - recalledAt >= limit().toNanos() ? kill() : term();
    }

    /** How long the result cannot change by itself, given the time left at the last call. */
    Duration untilNextChange(Duration remaining) {
        if (recalled) {
            return SOON;
        }
        Duration untilLimit = remaining.minus(limit());
        return untilLimit.compareTo(SOON) > 0 ? untilLimit : SOON;
    }

    /** Records that the command was asked to end by other means. */
    void asked() {
        asked = true;
    }

    /** Whether the command was asked to end. */
    boolean ending() {
        return asked || killed;
    }

    /** Whether no action is left. */
    boolean isDone() {
        return killed;
    }

    /** How long before the deadline SIGKILL is due. */
    Duration lead() {
        return smaller(LEAD, limit().dividedBy(4));
    }

    private boolean stillDoubting(long nowNanos) {
        if (!doubting) {
            doubting = true;
            doubtSince = nowNanos;
        }
        return nowNanos - doubtSince >= smaller(limit().dividedBy(4), DOUBT).toNanos();
    }

    private Act term() {
        if (ending()) {
            return Act.NOTHING;
        }
        asked = true;
        return Act.TERM;
    }

    private Act kill() {
        if (killed) {
            return Act.NOTHING;
        }
        killed = true;
        return Act.KILL;
    }

    private Duration limit() {
        return smaller(grace, most.multipliedBy(9).dividedBy(20));
    }

    private static Duration smaller(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
