package io.baton.spi;

import java.util.concurrent.CompletionStage;

/** A contender's own place in a line. */
public interface Place {

    /**
     * Leaves the line: removes this contender's entry and no other. May be called before the join is answered; the
     * listener receives nothing more. The removal is retried, across reconnections, until the store has confirmed it or
     * the session has ended.
     *
     * @return completes once the entry is certain to be gone; fails if the store keeps refusing the removal, which is
     *     still retried, or if the outcome stays unknown; the same stage each time
     */
    CompletionStage<Void> leave();
}
