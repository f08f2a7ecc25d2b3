package io.baton.recipes;

import io.baton.Hold;
import io.baton.StaleTokenException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * An object in this process that only the latest holder of a lock may use. Holders may be in other processes: they send
 * {@link Hold#token()} and {@link Hold#turn()} with their requests.
 *
 * <pre>{@code
 * FencedResource<Ledger> ledger = FencedResource.of(new Ledger());
 * ledger.claim(token, turn);                            // once, by each new holder
 * ledger.call(token, turn, book -> book.enter(amount)); // refused once a later holder has claimed
 * }</pre>
 *
 * <p><b>Guarantees.</b> Uses run one at a time. After a claim has returned, no use with a smaller token begins, and none
 * is under way. It knows what this process has seen: after a restart, until somebody claims, a former holder is let in.
 *
 * <p><b>Not guaranteed.</b> That the caller still holds the lock: a holder that claims late is refused only once a later
 * one has claimed. So claim at once after each acquisition, before anything is read.
 *
 * <p><b>Threads.</b> All methods may be called by any thread, and wait for a use that is under way.
 *
 * <p>Source: M. Kleppmann, <i>How to do distributed locking</i>, 2016.
 *
 * @param <T> the type of the object
 */
public final class FencedResource<T> {

    private final T resource;
    private final ReentrantLock alone = new ReentrantLock();
    private long token = Long.MIN_VALUE;
    private long turn = Long.MIN_VALUE;

    private FencedResource(T resource) {
        this.resource = resource;
    }

    /** Fences the object. It must not be used in any other way. */
    public static <T> FencedResource<T> of(T resource) {
        return new FencedResource<>(resource);
    }

    /**
     * Keeps out all holders before this one, from now on. Idempotent.
     *
     * @throws StaleTokenException if a later holder has claimed
     */
    public void claim(Hold hold) {
        claim(hold.token(), hold.turn());
    }

    /** {@link #claim(Hold)} for a holder in another process; {@code turn} is 0 unless its lock has a cohort. */
    public void claim(long itsToken, long itsTurn) {
        call(itsToken, itsTurn, any -> true);
    }

    /**
     * Uses the object as this holder, which counts as a claim.
     *
     * @throws StaleTokenException if a later holder has claimed; the use has not begun
     */
    public <R> R call(Hold hold, Function<? super T, ? extends R> use) {
        return call(hold.token(), hold.turn(), use);
    }

    /** {@link #call(Hold, Function)} for a holder in another process. */
    public <R> R call(long itsToken, long itsTurn, Function<? super T, ? extends R> use) {
        alone.lock();
        try {
            if (itsToken < token || (itsToken == token && itsTurn < turn)) {
                throw new StaleTokenException(
                        "token " + text(itsToken, itsTurn) + " is refused: the holder with token " + text(token, turn)
                                + " has claimed this since; acquire the lock again",
                        itsToken,
                        token);
            }
            token = itsToken;
            turn = itsTurn;
            return use.apply(resource);
        } finally {
            alone.unlock();
        }
    }

    private static String text(long token, long turn) {
        return turn == 0 ? Long.toString(token) : token + ", turn " + turn;
    }
}
