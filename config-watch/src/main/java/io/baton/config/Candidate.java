package io.baton.config;

import io.baton.Position;

/**
 * A revision that may come into use.
 *
 * @param at where the store is with it
 * @param change the number of the last change in it
 * @param values what it has
 * @param canary the id of the canary that is laid over them; empty if none is
 */
record Candidate(Position at, long change, FrozenMap<ConfigValue> values, String canary) {}
