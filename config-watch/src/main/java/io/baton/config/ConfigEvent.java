package io.baton.config;

import io.baton.Position;
import java.util.List;

/** What has happened to a live configuration beside ordinary changes; for operators. */
public sealed interface ConfigEvent {

    /** The values now come from here. */
    record Switched(ConfigSource from, ConfigSource to) implements ConfigEvent {}

    /**
     * After a gap in what the store could tell, as with a new connection or session or a compaction: what differs from
     * what was known before. Empty if nothing does.
     */
    record Resynced(Position at, List<KeyChange> differences) implements ConfigEvent {}

    /** The store was set back or replaced: its history is another one, or ends before what was known. */
    record Rewound(Position known, Position at, List<KeyChange> differences) implements ConfigEvent {}

    /** A revision was not applied. */
    record Rejected(Rejection rejection) implements ConfigEvent {}

    /** The last rejection is over: what the store has now is applied. */
    record Recovered(long revision) implements ConfigEvent {}

    /**
     * A listener has been running for this long; others are not held up by it. Or, by the name of {@code prepare of <binding>} or
     * {@code binding <binding>}, somebody who decides about a revision has, and then all changes are held up.
     */
    record SlowListener(String listener, java.time.Duration runningFor) implements ConfigEvent {}

    /** A listener has failed as often as it may be tried. */
    record FailedListener(String listener, String reason) implements ConfigEvent {}
}
