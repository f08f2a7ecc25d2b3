package io.baton.internal;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A candidate's attempt to come first in a line, and what becomes of it: one {@link Acquisition}. */
public final class LineAcquisition {

    /** Told on the loop. */
    public interface Listener {

        /** In the line, behind others; once in each session that it joins in. */
        default void waits() {}

        /** First in the line, and proven alive; once. What {@link #changed} tells follows it. */
        void granted(Hold hold);

        /**
         * Ended without a hold; once, instead of {@link #granted}.
         *
         * @param why empty if withdrawn
         */
        void refused(Optional<CoordinationException> why);

        /**
         * What the hold is worth has been looked at: may be told again though nothing has changed.
         *
         * @param inContact whether the store is in reach; a hold in JEOPARDY is then only doubtful, for this machine's clocks
         *     disagree, and a proof that settles it is on its way
         */
        void changed(HoldState state, boolean inContact);
    }

    private final Acquisition acquisition;
    private final Listener to;
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    LineAcquisition(Acquisition acquisition, Listener to) {
        this.acquisition = acquisition;
        this.to = to;
        acquisition.whenWaiting(to::waits);
        Futures.onDone(acquisition.decision(), this::decided);
        Futures.onDone(acquisition.removal(), (done, failure) -> {
            if (failure == null) {
                gone.complete(null);
            } else {
                gone.completeExceptionally(failure);
            }
        });
    }

    /**
     * Leaves the line, and gives back what has been granted meanwhile. Any thread.
     *
     * @return completes on the loop once the entry is gone
     */
    public CompletableFuture<Void> withdraw() {
        acquisition.cancel();
        return gone;
    }

    private void decided(Optional<FencedHold> decided, @Nullable Throwable failure) {
        if (failure != null) {
            gone.complete(null);
            to.refused(Optional.of(Futures.known(failure)));
        } else if (decided.isEmpty()) {
            to.refused(Optional.empty());
        } else {
            FencedHold hold = decided.get();
            to.granted(hold);
            hold.watch(state -> to.changed(state, hold.inContact()));
        }
    }
}
