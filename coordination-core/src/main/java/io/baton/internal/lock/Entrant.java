package io.baton.internal.lock;

import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.util.concurrent.CompletionStage;

/** Enters the contest for a resource, in one session. On the loop. */
interface Entrant {

    /** Returns whether a contender that joined now would probably be clear at once. Writes nothing. */
    CompletionStage<Boolean> isFree(Session session);

    /** Joins; the listener receives its events as from {@link Session#join}. */
    Place join(Session session, byte[] payload, PlaceListener to);

    /**
     * Leaves a place that it has joined; as {@link Place#leave}.
     *
     * @param released whether a hold of it was released; false if there was none, or it is lost
     */
    default CompletionStage<Void> leave(Place joined, boolean released) {
        return joined.leave();
    }
}
