package io.baton.config.internal.active;

import io.baton.Position;
import io.baton.config.Rejection;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.follow.StoreUpdate;
import io.baton.config.internal.record.Differences;
import java.time.Duration;

/** Receives the outcomes of revisions, on callback threads and in order. */
public interface Outcomes {

    /** Handles a state that has replaced another. */
    void applied(ActiveConfig was, ActiveConfig now);

    /** Handles a rejected revision. */
    void rejected(ActiveConfig now, Rejection why);

    /** Handles the end of an update, after its state was applied or rejected. */
    void updateProcessed(StoreState known);

    /** Handles a gap in the updates from the store. */
    void gap(StoreUpdate.Whole news, Position at, Differences differences);

    /** Handles a slow decision about a revision. On the loop. */
    void slow(String who, Duration runningFor);
}
