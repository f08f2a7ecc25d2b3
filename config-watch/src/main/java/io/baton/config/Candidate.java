package io.baton.config;

import io.baton.Position;

/**
 * A state that may come into use.
 *
 * @param source where its values come from
 * @param at where the store was with it
 * @param change the number of the last change in it
 * @param values what it has
 * @param canary the id of the canary that is laid over them; empty if none is
 */
record Candidate(ConfigSource source, Position at, long change, FrozenMap<ConfigValue> values, String canary) {

    /** Where the store is as long as it has told nothing. */
    static final Position NOWHERE = new Position("", 0);

    /** What the store has. */
    static Candidate live(StoreState known) {
        return new Candidate(ConfigSource.LIVE, known.at(), known.space().change(), known.values(), "");
    }

    /** What was kept of it. */
    static Candidate of(Cached kept) {
        return new Candidate(ConfigSource.CACHED, kept.at(), kept.change(), kept.values(), kept.canary());
    }

    /** Nothing of the store. */
    static Candidate bundled() {
        return new Candidate(ConfigSource.BUNDLED, NOWHERE, 0, FrozenMap.empty(), "");
    }

    ConfigSnapshot snapshot() {
        return new ConfigSnapshot(source, at, change, values);
    }
}
