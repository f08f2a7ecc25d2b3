package io.baton.spi.support;

import io.baton.spi.Entry;
import java.util.concurrent.CompletionStage;

/**
 * The requests of a store for one place in a line. {@link PlaceLife} calls the driver, and the driver reports the
 * outcomes to it. All calls on the loop.
 */
public interface LineDriver {

    /**
     * Asks for an entry, at once or in its turn. Once the request is sent, it calls {@link PlaceLife#sent}, and with
     * the answer {@code joined}, {@code unanswered}, {@code undone} or {@code gone}.
     */
    void join();

    /** Stops waiting or holding: drops watches, and needs proofs no longer. */
    void stop();

    /** No entry stands ahead. Returns the own entry, for the listener. */
    Entry first();

    /** Removes the entry, and repeats that until it has gone. Calls {@link PlaceLife#removed} then. */
    void remove();

    /**
     * There is no entry, and there will be none.
     *
     * @param before the phase that this ended
     */
    void closed(PlaceMachine.Phase before);

    /** The session has ended. Returns a stage that completes once its entries have certainly gone. */
    CompletionStage<Void> closedWithSession();
}
