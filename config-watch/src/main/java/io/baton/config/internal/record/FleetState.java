package io.baton.config.internal.record;

import io.baton.config.ConfigSource;

/**
 * The progress of an instance, as published to the fleet.
 *
 * @param source where its values come from
 * @param change the number of the last change it has applied
 * @param revision the revision it has applied
 * @param canary the id of the canary in use there; empty if none is
 * @param asked the latest count of requests about the canary that it has answered
 * @param approves whether it has no objection to the canary in use there
 * @param rejected why it has not applied newer values; empty if nothing was rejected; without secrets
 */
public record FleetState(
        ConfigSource source,
        long change,
        long revision,
        String canary,
        long asked,
        boolean approves,
        String rejected) {}
