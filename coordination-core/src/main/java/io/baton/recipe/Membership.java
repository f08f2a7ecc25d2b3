package io.baton.recipe;

import java.util.concurrent.CompletableFuture;

/**
 * An entry of this client in a line, which says something of it. It is bound to the client's session, and made anew in the
 * next one. Any thread.
 */
public interface Membership {

    /** The entry says this from now on; the first time at once, later after a while that is never the same. */
    void publish(byte[] payload);

    /** Takes the entry away, for good; completes on the loop once nothing is to be seen of it. */
    CompletableFuture<Void> close();
}
