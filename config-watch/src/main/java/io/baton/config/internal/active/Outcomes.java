package io.baton.config.internal.active;

import io.baton.Position;
import io.baton.config.Rejection;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.follow.StoreUpdate;
import io.baton.config.internal.record.Differences;
import java.time.Duration;

/** Told what has become of revisions, on callback threads and in order. */
public interface Outcomes {

    /** This came into use instead of that. */
    void applied(ActiveConfig was, ActiveConfig now);

    /** It did not. */
    void rejected(ActiveConfig now, Rejection why);

    /** This is what is known by now, and what could be done about it has been done. */
    void updateProcessed(StoreState known);

    /** The store could not tell everything one by one. */
    void gap(StoreUpdate.Whole news, Position at, Differences differences);

    /** Somebody takes long to say whether a revision is acceptable. On the loop. */
    void slow(String who, Duration runningFor);
}
