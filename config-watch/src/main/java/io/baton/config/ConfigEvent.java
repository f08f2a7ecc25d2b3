package io.baton.config;

import io.baton.Position;
import java.util.List;

/** An event of a live configuration besides ordinary changes, for operators. */
public sealed interface ConfigEvent {

    /** The source of the values has changed. */
    record Switched(ConfigSource from, ConfigSource to) implements ConfigEvent {}

    /**
     * The store was read anew after a gap, as with a new connection or session or a compaction. The differences are
     * against the last known state; empty if nothing differs.
     */
    record Resynced(Position at, List<KeyChange> differences) implements ConfigEvent {}

    /** The store was set back or replaced: its history is a different one, or ends before the known position. */
    record Rewound(Position known, Position at, List<KeyChange> differences) implements ConfigEvent {}

    /** A revision was not applied. */
    record Rejected(Rejection rejection) implements ConfigEvent {}

    /** The last rejection is over: the store's present values are applied. */
    record Recovered(long revision) implements ConfigEvent {}

    /**
     * A listener has been running for this long; other listeners do not wait for it. Under the name {@code prepare of
     * <binding>} or {@code binding <binding>}, it is a check of a revision, which delays all changes.
     */
    record SlowListener(String listener, java.time.Duration runningFor) implements ConfigEvent {}

    /** A listener has failed on its last attempt. */
    record FailedListener(String listener, String reason) implements ConfigEvent {}
}
