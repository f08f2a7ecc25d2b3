package io.baton.recipe;

import io.baton.MembershipState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * An entry of this client in a line, with a payload that others see. The entry is bound to the client's session and
 * created again in the next one, and also if somebody removed it. Any thread.
 */
public interface Membership {

    /** Called on the loop. */
    interface Listener {

        /** Hears nothing. */
        Listener NONE = (state, why) -> {};

        /**
         * The state has changed. From JOINED or JEOPARDY to JOINING it is a loss, which is reported even if a join
         * follows at once.
         *
         * @param why the reason of a loss, for people; empty otherwise
         */
        void changed(MembershipState state, String why);

        /**
         * The entry has gone, or the attempt to join has failed: with the session, or because it was removed or refused.
         * Another one joins a little later, unless the membership is closed in this call.
         *
         * @param why for people
         */
        default void gone(String why) {}
    }

    /**
     * Sets the entry's payload: the first time at once, later after a delay with jitter.
     *
     * @throws IllegalArgumentException if it is larger than {@link io.baton.spi.Guarantees#maxBytes()}
     */
    void publish(byte[] payload);

    /** Returns the present state, which is right at the first look: a deadline that has passed is noticed here. */
    MembershipState state();

    /** Returns how long the entry is certain to stand without further contact; zero while it is not. */
    Duration remaining();

    /** Removes the entry for good. The future completes on the loop once the entry is gone. */
    CompletableFuture<Void> close();
}
