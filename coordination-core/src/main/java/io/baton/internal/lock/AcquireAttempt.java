package io.baton.internal.lock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One attempt to get a hold. Any thread. */
interface AcquireAttempt {

    /** The hold; empty if given up (time limit, others ahead, cancelled); or the failure. Completes on the loop. */
    CompletableFuture<Optional<FencedHold>> decision();

    /** Gives up, unless granted by then; {@link #decision} says which. */
    void giveUp();

    /** Gives up, and releases the hold if there is one. */
    void cancel();
}
