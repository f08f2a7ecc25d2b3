package io.baton.spi;

import java.util.concurrent.CompletionStage;

/** A contender's own place in a line. */
public interface Place {

    /**
     * Leaves the line: removes this contender's entry and no other. May be called before the join is answered; the
     * listener receives nothing more. The removal is retried, across reconnections, until the store has confirmed it or
     * the session has ended.
     *
     * @return a stage that completes once the entry is certain to be gone, the same each time. It fails if the outcome
     *     stays unknown, or if the store keeps refusing the removal, which is still retried
     */
    CompletionStage<Void> leave();

    /**
     * Turns the claim of a place that is clear from {@link Claim#EXCLUSIVE} to {@link Claim#SHARED}, in a line of kind
     * {@link Line.Kind#READ_WRITE}. The entry stays the same: its name, order and token. Contenders with shared claims
     * directly behind it no longer wait for it; exclusive ones do. The request is repeated, across reconnections, until
     * the store has confirmed it.
     *
     * @return a stage that completes once the store has confirmed it. It fails if the store refuses it, or if the place
     *     is left or lost before
     * @throws IllegalStateException if the place is not clear, or its claim is not exclusive
     * @throws UnsupportedOperationException if the line is of another kind
     */
    CompletionStage<Void> downgrade();
}
