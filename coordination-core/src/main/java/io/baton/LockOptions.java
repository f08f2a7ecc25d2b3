package io.baton;

import java.time.Duration;
import java.util.Objects;

/**
 * How contenders of one lock share it, beyond strict turns. Immutable. All durations and numbers are zero unless set:
 * then the lock is the plain one.
 *
 * <p>{@link #holdAtLeast} and {@link #delayAfterLoss} are for what no fencing token can protect. The contenders of the
 * lock must agree on them: they are stored with the lock, and another contender that sets different ones is refused. A
 * contender that sets none of them is not kept out by them.
 *
 * <p>{@link #cohort} and {@link #linger} save requests to the store, and let other processes wait longer. They concern
 * this process alone, and contenders need not agree. Its holds of one turn have the same {@link Hold#token}, and are
 * told apart by {@link Hold#turn}. They cannot be combined with the other two.
 *
 * @see Coordinator#lock(String, LockOptions)
 */
public final class LockOptions {

    private static final Duration MOST = Duration.ofDays(366);

    private final Duration holdAtLeast;
    private final Duration delayAfterLoss;
    private final Duration linger;
    private final int cohort;
    private final Duration cohortFor;

    private LockOptions(Builder b) {
        holdAtLeast = b.holdAtLeast;
        delayAfterLoss = b.delayAfterLoss;
        linger = b.linger;
        cohort = b.cohort;
        cohortFor = b.cohortFor;
    }

    /** Returns a builder that starts from the plain lock. */
    public static Builder builder() {
        return new Builder();
    }

    /** The time from a grant until the lock may pass to another contender. */
    public Duration holdAtLeast() {
        return holdAtLeast;
    }

    /** The time for which the lock stays blocked after a hold that was not released. */
    public Duration delayAfterLoss() {
        return delayAfterLoss;
    }

    /** The time for which the place in the line is kept after the last release. */
    public Duration linger() {
        return linger;
    }

    /** The number of hand-overs within this process while others wait. */
    public int cohort() {
        return cohort;
    }

    /** The time for which there are such hand-overs while others wait. */
    public Duration cohortFor() {
        return cohortFor;
    }

    /** Whether threads of one process share a place in the line. */
    public boolean shares() {
        return cohort > 0 || !linger.isZero();
    }

    /** Whether the lock may stay blocked between two holds. */
    public boolean delays() {
        return !holdAtLeast.isZero() || !delayAfterLoss.isZero();
    }

    /** Builds options; {@link #build} checks that they go together. */
    public static final class Builder {

        private Duration holdAtLeast = Duration.ZERO;
        private Duration delayAfterLoss = Duration.ZERO;
        private Duration linger = Duration.ZERO;
        private int cohort;
        private Duration cohortFor = Duration.ZERO;

        private Builder() {}

        /**
         * Keeps others out for this long from the grant, also if the hold is released before: for a job that must not
         * run twice within a period, on whatever node. {@link Hold#close} returns without waiting for that.
         *
         * <p>The job runs at most once in a period: a run that throws, or whose process dies, also keeps the others out
         * until the time is over. Repeat it within the action, or use an election if another process has to repeat a run
         * whose process died.
         *
         * <p>A released hold costs what a held one does until its time is over: its entry stays in the store, and is
         * renewed. While a coordinator keeps {@link CoordinatorOptions#maxWaiting} of them, its acquisitions with this
         * option fail with {@link TooManyWaitersException}; other locks are not concerned.
         *
         * <p>While the coordinator of the released hold lives, it keeps the entry, and no clock matters. If it is
         * closed or dies before, the rest of the time is taken from a record with the time of the grant. Then it is
         * shortened or lengthened by the difference between the two machines' clocks, and shortened by the time that
         * the store took to answer the acquisition, but never lasts longer than this duration from the moment at which
         * a contender has found the line empty, or is first in it. An acquisition takes three round trips instead of
         * one.
         *
         * @throws IllegalArgumentException if negative, or longer than a year
         */
        public Builder holdAtLeast(Duration time) {
            holdAtLeast = checked("holdAtLeast", time);
            return this;
        }

        /**
         * Keeps the lock blocked for this long after a hold that ended without a release: its process died, its session
         * ended, or its entry was removed. For resources that cannot check tokens: it gives what a lost holder has sent
         * the time to arrive. The time passes from the moment at which a contender finds the entry gone. It is on
         * record for the other contenders; a difference between the machines' clocks may shorten their wait. An
         * acquisition takes three round trips instead of one. A coordinator that is closed while its hold is not may
         * count as a loss.
         *
         * @throws IllegalArgumentException if negative, or longer than a year
         */
        public Builder delayAfterLoss(Duration time) {
            delayAfterLoss = checked("delayAfterLoss", time);
            return this;
        }

        /**
         * Keeps the place in the line for this long after the last release while nobody else stands in it, so that
         * acquiring again costs no request to the store. Once somebody joins, the place is given up at once.
         *
         * <p>Who does not wait does not join: {@link DistributedLock#tryAcquire()} of other processes finds the lock
         * taken while the place is kept.
         *
         * @throws IllegalArgumentException if negative, or longer than a year
         */
        public Builder linger(Duration time) {
            linger = checked("linger", time);
            return this;
        }

        /**
         * Lets the threads of this process share one place in the line. They hold the lock one after the other, in the
         * order in which they asked, and each hand-over within the process costs no request to the store. While others
         * stand in the line there are at most this many hand-overs in a row, and none once another has been seen
         * waiting for this long; then it is the line's turn.
         *
         * <p>Who waits goes on in the next session if one ends, as with {@link CoordinatorOptions.Builder#rejoin}. An
         * eviction of the place while it waits in the line fails all who wait for it.
         *
         * @param handOvers the most hand-overs in a row while others wait
         * @param atMostAheadOfOthers the time after which others go first
         * @throws IllegalArgumentException if not positive, or longer than a year
         */
        public Builder cohort(int handOvers, Duration atMostAheadOfOthers) {
            cohortFor = checked("cohort", atMostAheadOfOthers);
            if (handOvers < 1 || cohortFor.isZero()) {
                throw new IllegalArgumentException(
                        "a cohort needs a positive number of hand-overs and a positive time, not " + handOvers + " and "
                                + atMostAheadOfOthers);
            }
            cohort = handOvers;
            return this;
        }

        /**
         * Returns the options.
         *
         * @throws IllegalArgumentException if they contradict each other
         */
        public LockOptions build() {
            var built = new LockOptions(this);
            if (built.shares() && built.delays()) {
                throw new IllegalArgumentException("holdAtLeast and delayAfterLoss keep the lock from its next holder,"
                        + " cohort and linger pass it on within a process; they cannot be combined: " + built);
            }
            return built;
        }

        private static Duration checked(String option, Duration time) {
            if (time.isNegative() || time.compareTo(MOST) > 0) {
                throw new IllegalArgumentException(
                        option + " takes a duration between zero and " + MOST.toDays() + " days, not " + time);
            }
            return time;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LockOptions that
                && holdAtLeast.equals(that.holdAtLeast)
                && delayAfterLoss.equals(that.delayAfterLoss)
                && linger.equals(that.linger)
                && cohort == that.cohort
                && cohortFor.equals(that.cohortFor);
    }

    @Override
    public int hashCode() {
        return Objects.hash(holdAtLeast, delayAfterLoss, linger, cohort, cohortFor);
    }

    @Override
    public String toString() {
        return "holdAtLeast " + holdAtLeast + ", delayAfterLoss " + delayAfterLoss + ", linger " + linger + ", cohort "
                + cohort + " for " + cohortFor;
    }
}
