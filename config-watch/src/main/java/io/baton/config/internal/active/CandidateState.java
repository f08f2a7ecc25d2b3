package io.baton.config.internal.active;

import io.baton.Position;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.record.FrozenMap;

/**
 * A state that may come into use.
 *
 * @param source where its values come from
 * @param at the store's position
 * @param change the number of the last change in it
 * @param values the values
 * @param canary the id of the canary laid over them; empty if none is
 */
public record CandidateState(
        ConfigSource source, Position at, long change, FrozenMap<ConfigValue> values, String canary) {

    /** The store's position before its first snapshot. */
    public static final Position NOWHERE = new Position("", 0);

    /** Returns the store's values. */
    public static CandidateState live(StoreState known) {
        return new CandidateState(ConfigSource.LIVE, known.at(), known.space().change(), known.values(), "");
    }

    /** Returns the cached values. */
    public static CandidateState of(Cached kept) {
        return new CandidateState(ConfigSource.CACHED, kept.at(), kept.change(), kept.values(), kept.canary());
    }

    /** Returns a state without values of the store. */
    public static CandidateState bundled() {
        return new CandidateState(ConfigSource.BUNDLED, NOWHERE, 0, FrozenMap.empty(), "");
    }

    /** Returns the same with marks on the values that are secret in this newer state of the store. */
    public CandidateState marked(StoreState now, StoreState.Scope scope) {
        return new CandidateState(source, at, change, now.marking(values, scope), canary);
    }

    ConfigSnapshot snapshot() {
        return new ConfigSnapshot(source, at, change, values);
    }
}
