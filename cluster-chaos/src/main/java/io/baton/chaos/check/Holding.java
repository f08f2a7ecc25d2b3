package io.baton.chaos.check;

import io.baton.chaos.history.FencingToken;

/** One hold of one lock, or of permits, by its holder's own words. Times are those of the clock that all share. */
final class Holding {

    private static final long NEVER = Long.MAX_VALUE;

    /**
     * Whom a hold lets in beside it: nobody, readers, or other permits.
     *
     * @param shared whether it is a reader's
     * @param permits how many it has of a semaphore; 0 if it is of none
     * @param size how many that semaphore has
     */
    record Sharing(boolean shared, long permits, long size) {

        boolean exclusive() {
            return !shared && permits == 0;
        }
    }

    private final String who;
    private final String lock;
    private final FencingToken token;
    private final long asked;
    private final long granted;
    private final long seen;
    private final boolean validWhenGranted;
    private final Sharing sharing;
    private final Terms terms;
    private final boolean downgraded;
    private long validFrom = NEVER;
    private long validUntil = Long.MIN_VALUE;
    private long promisedUntil = Long.MIN_VALUE;
    private long releasing = NEVER;
    private long toldLost = NEVER;
    private long sawLost = NEVER;
    private long evicted = NEVER;

    /**
     * Granted {@code before} its holder looked at it for the first time, which was done by {@code seen}.
     *
     * @param downgraded whether its holder had it as a writer before
     */
    Holding(
            String who,
            String lock,
            FencingToken token,
            long asked,
            long before,
            long remaining,
            long seen,
            Sharing sharing,
            Terms terms,
            boolean downgraded) {
        this.who = who;
        this.lock = lock;
        this.token = token;
        this.asked = asked;
        this.granted = before;
        this.seen = seen;
        this.validWhenGranted = remaining > 0;
        this.sharing = sharing;
        this.terms = terms;
        this.downgraded = downgraded;
        looked(before, remaining, seen);
    }

    /**
     * It was looked at between these two moments, and was certain to be valid for so long from some moment in between.
     */
    void looked(long before, long remaining, long after) {
        if (remaining > 0) {
            validFrom = Math.min(validFrom, after);
            validUntil = Math.max(validUntil, before);
            promisedUntil = Math.max(promisedUntil, before + remaining);
        }
    }

    /** It was looked at, and was lost. */
    void sawLost(long at) {
        sawLost = Math.min(sawLost, at);
    }

    void toldLost(long at) {
        toldLost = Math.min(toldLost, at);
    }

    /** An operator was about to remove its entry by hand: from then on it is worth nothing, whatever its holder sees. */
    void evicted(long at) {
        evicted = Math.min(evicted, at);
    }

    void releasing(long at) {
        releasing = Math.min(releasing, at);
    }

    String who() {
        return who;
    }

    String lock() {
        return lock;
    }

    FencingToken token() {
        return token;
    }

    /** Whether nobody may hold beside it. */
    boolean exclusive() {
        return sharing.exclusive();
    }

    /** How many permits it has; 0 if it is none of a semaphore. */
    long permits() {
        return sharing.permits();
    }

    /** How many permits its semaphore has. */
    long size() {
        return sharing.size();
    }

    /** The options of its lock. */
    Terms terms() {
        return terms;
    }

    /** Whether its holder had it as a writer before. */
    boolean downgraded() {
        return downgraded;
    }

    /** What it is, in a word for a report. */
    String kind() {
        if (permits() > 0) {
            return "of permits";
        }
        if (terms.handOvers() > 0) {
            return "in cohorts";
        }
        if (terms.rests()) {
            return "of resting locks";
        }
        return downgraded ? "downgraded" : exclusive() ? "exclusive" : "shared";
    }

    /** When its holder asked for it. */
    long asked() {
        return asked;
    }

    /** When its holder had it, before the first look at it. */
    long granted() {
        return granted;
    }

    /** When the first look was done. */
    long seen() {
        return seen;
    }

    /** Whether it was worth something when its holder heard of it. */
    boolean validWhenGranted() {
        return validWhenGranted && granted <= evicted;
    }

    /** Whether it was ever seen valid, before its entry was removed by hand. */
    boolean valid() {
        return validFrom != NEVER && validFrom <= evicted;
    }

    /** By when it was valid, for certain. */
    long validFrom() {
        return validFrom;
    }

    /** The last moment at which it was valid, for certain. */
    long validUntil() {
        return Math.min(validUntil, evicted);
    }

    /** Until when its holder could be certain of it: told so, and neither released nor told of a loss before that. */
    long promisedUntil() {
        return Math.min(Math.min(promisedUntil, evicted), Math.min(releasing, toldLost));
    }

    /**
     * A moment at which its entry still stood, if it was not released: the end of the time that its holder was promised,
     * unless the loss was known before that.
     */
    long stoodUntil() {
        return Math.min(sawLost, toldLost) < promisedUntil ? validUntil : promisedUntil;
    }

    /** When its holder let it go, or was last seen to have it. */
    long over() {
        return Math.min(releasing, Math.max(seen, validUntil));
    }

    /** Whether its holder saw it lost. */
    boolean lost() {
        return sawLost != NEVER;
    }

    long sawLost() {
        return sawLost;
    }

    /** Whether its listener was told of the loss. */
    boolean told() {
        return toldLost != NEVER;
    }

    boolean released() {
        return releasing != NEVER;
    }

    long releasing() {
        return releasing;
    }

    @Override
    public String toString() {
        return who + " with token " + token + " of " + lock;
    }
}
