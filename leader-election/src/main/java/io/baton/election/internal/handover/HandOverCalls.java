package io.baton.election.internal.handover;

import io.baton.CoordinationException;
import io.baton.election.HandOverException;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Common parts of all calls that hand over. */
public final class HandOverCalls {

    /** The longest time for a hand-over. */
    static final Duration LONGEST = Duration.ofDays(1);

    /** The longest time of a pin that has one. */
    static final Duration LONGEST_PIN = Duration.ofDays(365);

    private HandOverCalls() {}

    /** Refuses invalid arguments. */
    public static void check(String id, Duration timeout) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("a candidate's id must not be empty");
        }
        checkTimeout(timeout);
    }

    /** Refuses an invalid timeout. */
    public static void checkTimeout(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative() || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("timeout must be positive and at most a day, not " + timeout);
        }
    }

    /** Returns the request of a pin with this limit. */
    public static Pin.Wish wish(Duration pin) {
        if (pin.isZero() || pin.isNegative() || pin.compareTo(LONGEST_PIN) > 0) {
            throw new IllegalArgumentException("a pin must last for more than zero and at most a year, not " + pin);
        }
        return new Pin.Wish(Optional.of(pin));
    }

    /** Refuses to wait on a thread that the hand-over itself needs. */
    public static void checkMayWait(boolean work) {
        if (work || Callbacks.inside()) {
            throw new IllegalStateException((work
                            ? "the work cannot wait for a hand-over that waits for the work"
                            : "a callback must not wait for a hand-over, which may need callbacks itself")
                    + "; use handOverAsync");
        }
    }

    /** Waits; a failure is thrown anew. */
    public static void await(CompletableFuture<Void> result) throws InterruptedException {
        try {
            Futures.interruptibly(result);
        } catch (CoordinationException failed) {
            if (failed.getCause() instanceof HandOverException refused) {
                throw new HandOverException(String.valueOf(refused.getMessage()), refused);
            }
            throw failed;
        }
    }
}
