package io.baton.config.internal.record;

import io.baton.config.ConfigSource;

/**
 * How far an instance follows, as it tells the fleet.
 *
 * @param source where its values come from
 * @param change the number of the last change it has applied
 * @param revision it has applied
 * @param canary the canary that is in use there; empty if none is
 * @param asked how often the canary's author has asked how it does, as far as that is known there
 * @param approves whether it has nothing against the canary in use there
 * @param rejected why it has not applied something newer; empty if nothing was rejected; without secrets
 */
public record FleetState(
        ConfigSource source,
        long change,
        long revision,
        String canary,
        long asked,
        boolean approves,
        String rejected) {}
