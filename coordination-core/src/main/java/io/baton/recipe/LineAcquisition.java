package io.baton.recipe;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An attempt to become first in a line. */
public interface LineAcquisition {

    /** Called on the loop. */
    interface Listener {

        /** The entry is in the line, behind others. Called once in each session in which it joins. */
        default void waiting() {}

        /**
         * The entry is first in the line, and the session is proven alive. Called once; {@link #changed} follows. Not
         * called once withdrawn on the loop.
         */
        void granted(Hold hold);

        /**
         * The attempt ended without a hold. Called once, instead of {@link #granted}.
         *
         * @param why empty if withdrawn
         */
        void notGranted(Optional<CoordinationException> why);

        /**
         * The state of the hold may have changed.
         *
         * @param inContact whether the store is in reach; if so, JEOPARDY means that this machine's clocks disagree,
         *     and a proof has been requested
         */
        void changed(HoldState state, boolean inContact);
    }

    /**
     * Leaves the line, and releases the hold if one has been granted. Any thread.
     *
     * @return completes on the loop once the entry is gone
     */
    CompletableFuture<Void> withdraw();
}
