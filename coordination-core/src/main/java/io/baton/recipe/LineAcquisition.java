package io.baton.recipe;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An attempt to come first in a line, and what becomes of it. */
public interface LineAcquisition {

    /** Called on the loop. */
    interface Listener {

        /** In the line, behind others; once in each session that it joins in. */
        default void waiting() {}

        /** First in the line, and proven alive; once. Calls of {@link #changed} follow it. */
        void granted(Hold hold);

        /**
         * Ended without a hold; once, instead of {@link #granted}.
         *
         * @param why empty if withdrawn
         */
        void notGranted(Optional<CoordinationException> why);

        /**
         * What the hold is worth has been looked at: may be called again though nothing has changed.
         *
         * @param inContact whether the store is in reach; a hold in JEOPARDY is then only doubtful, for this machine's clocks
         *     disagree, and a proof that settles it is on its way
         */
        void changed(HoldState state, boolean inContact);
    }

    /**
     * Leaves the line, and gives back what has been granted meanwhile. Any thread.
     *
     * @return completes on the loop once the entry is gone
     */
    CompletableFuture<Void> withdraw();
}
