package io.baton.spi;

import io.baton.CoordinationException;
import java.util.Optional;

/** Told of a session's life, on its loop, in order. */
public interface SessionListener {

    /**
     * In contact with the store; entries and places are as they were. {@link Session#proof()} may reach less far than
     * before, if the store has granted a smaller timeout this time.
     */
    void connected();

    /** Out of contact; the session may still be alive. */
    void suspended();

    /** {@link Session#proof()} has become better. */
    void proven();

    /** The session is over, for good; every place of it has been told {@link PlaceListener#lost} before. Told once. */
    void lost(CoordinationException why);

    /**
     * Something is refused or fails again and again, and the store goes on trying; it may be told with every attempt.
     * Whoever looks after services reads it in the log, now and then, and in {@link io.baton.Coordinator#trouble()}.
     *
     * @param what what does not work, and where: the same words for the same trouble
     * @param why the reason, in the store's own words where there are any
     */
    default void troubled(String what, String why) {}

    /** What {@link #troubled} told of works again, or is not wanted any more; told or not. With {@link #lost} all is. */
    default void resolved(String what) {}

    /**
     * Who wants to know what each request costs; a store need not tell, and need measure nothing if this is empty.
     * Asked when the session is opened.
     */
    default Optional<RequestListener> requestListener() {
        return Optional.empty();
    }
}
