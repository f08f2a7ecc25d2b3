package io.baton.internal.lock;

import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Enters the contest for a resource, in one session. On the loop. */
interface Entrant {

    /** Returns whether a contender that joined now would probably be clear at once. Writes nothing. */
    CompletionStage<Boolean> isFree(Session session);

    /** Joins; the listener receives its events as from {@link Session#join}. */
    Place join(Session session, byte[] payload, PlaceListener to);

    /** How a place ends. */
    enum Ending {
        /** Nobody was given a hold of it. */
        UNUSED,
        /** Its hold was released. */
        RELEASED,
        /** Its hold was lost. */
        LOST
    }

    /**
     * Leaves a place that it has joined; as {@link Place#leave}.
     *
     * @param heldSince when its hold was granted, by the monotonic clock; 0 if there was none
     * @return completes with whether the entry is gone; false if it stays for a while
     */
    default CompletionStage<Boolean> leave(Place joined, Ending ending, long heldSince) {
        return joined.leave().thenApply(done -> true);
    }

    /** Whether the entry of a place that was left may stay for a while. */
    default boolean mayKeepEntries() {
        return false;
    }

    /** Whether attempts share its places. They are counted, and their places are not. */
    default boolean isShared() {
        return false;
    }

    /** Completes once the entry of a place that was left, and stays for a while, has gone, or goes with its session. */
    default CompletionStage<Void> kept(Place left) {
        return CompletableFuture.completedFuture(null);
    }

    /** A place that it has joined is lost, and nobody was given a hold of it. */
    default void lostUnused(Place joined) {}
}
