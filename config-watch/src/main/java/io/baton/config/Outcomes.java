package io.baton.config;

import io.baton.Position;
import java.time.Duration;

/** Told what has become of revisions, on callback threads and in order. */
interface Outcomes {

    /** This came into use instead of that. */
    void applied(ActiveConfig was, ActiveConfig now);

    /** It did not. */
    void rejected(ActiveConfig now, Rejection why);

    /** This is what is known by now, and what could be done about it has been done. */
    void considered(StoreState known);

    /** The store could not tell everything one by one. */
    void gap(StoreUpdate.Whole news, Position at, Differences differences);

    /** Somebody takes long to say whether a revision is acceptable. On the loop. */
    void slow(String who, Duration runningFor);
}
