package io.baton.recipe;

import java.util.concurrent.CompletableFuture;

/**
 * An entry of this client in a line, with a payload that describes the client. The entry is bound to the client's
 * session and created again in the next one. Any thread.
 */
public interface Membership {

    /** Sets the entry's payload: the first time at once, later after a delay with jitter. */
    void publish(byte[] payload);

    /** Removes the entry for good. The future completes on the loop once the entry is gone. */
    CompletableFuture<Void> close();
}
