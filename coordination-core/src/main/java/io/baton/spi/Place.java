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
}
