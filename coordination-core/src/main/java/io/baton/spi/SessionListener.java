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

    /** The session is over, for good; every place of it has been told {@code gone} before. Told once. */
    void lost(CoordinationException why);

    /**
     * Who wants to know what each request costs; a store need not tell, and need measure nothing if this is empty.
     * Asked when the session is opened.
     */
    default Optional<RequestListener> requests() {
        return Optional.empty();
    }
}
