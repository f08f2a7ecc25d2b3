package io.baton.spi;

import java.util.concurrent.CompletionStage;

/** A contender's own place in a line. */
public interface Place {

    /**
     * Leaves the line: removes this contender's entry and no other. Valid before the join has been answered; the
     * contender is told nothing more. The removal stays owed, across reconnections, until the store has confirmed it
     * or the session has ended.
     *
     * @return completes once the entry is certain to be gone; fails if the store goes on refusing to remove it, which is
     *     tried again all the same, or if that stays unknown; the same stage each time
     */
    CompletionStage<Void> leave();
}
