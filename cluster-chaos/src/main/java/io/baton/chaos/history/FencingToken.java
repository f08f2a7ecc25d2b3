package io.baton.chaos.history;

import io.baton.Hold;
import java.util.Comparator;

/**
 * What tells the holds of one lock apart, and orders them: by tokens, and of those with the same token by turns.
 *
 * @param turn 0 unless owners in one process share a place
 */
public record FencingToken(long token, long turn) implements Comparable<FencingToken> {

    private static final Comparator<FencingToken> ORDER =
            Comparator.comparingLong(FencingToken::token).thenComparingLong(FencingToken::turn);

    /** That of a hold. */
    public static FencingToken of(Hold hold) {
        return new FencingToken(hold.token(), hold.turn());
    }

    /**
     * What {@link #toString} has written.
     *
     * @throws NumberFormatException if it is none
     */
    public static FencingToken parse(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new FencingToken(Long.parseLong(text), 0)
                : new FencingToken(Long.parseLong(text.substring(0, slash)), Long.parseLong(text.substring(slash + 1)));
    }

    /** Whether the hold of this one comes before that of the other. */
    public boolean isBefore(FencingToken other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(FencingToken other) {
        return ORDER.compare(this, other);
    }

    /** {@code 7}, or {@code 7/2} in the second turn. */
    @Override
    public String toString() {
        return turn == 0 ? Long.toString(token) : token + "/" + turn;
    }
}
