package io.baton.benchmarks.scale;

/**
 * What became of a call on a long line.
 *
 * @param call the method
 * @param limitMillis after which the call ends with its time limit, rather than with an answer
 * @param millis until it returned or threw
 * @param refused whether it threw
 * @param outcome the answer, or the exception
 */
record Attempt(String call, long limitMillis, long millis, boolean refused, String outcome) {

    /** As {@link #parse} reads it. */
    String words() {
        return call + " " + limitMillis + " " + millis + " " + refused + " " + outcome.replace('\n', ' ');
    }

    static Attempt parse(String words) {
        String[] word = words.split(" ", 5);
        return new Attempt(
                word[0], Long.parseLong(word[1]), Long.parseLong(word[2]), Boolean.parseBoolean(word[3]), word[4]);
    }

    /**
     * Whether it is as it should be on a line that cannot be listed: it threw, and not because its time limit had passed.
     * That the lock is taken can be told at once, without a listing.
     */
    boolean isAsExpectedWithoutListing() {
        return millis < limitMillis && (refused || call.equals("tryAcquire()"));
    }

    @Override
    public String toString() {
        return call + (refused ? " refused after " : " answered after ") + millis + " ms: " + outcome;
    }
}
