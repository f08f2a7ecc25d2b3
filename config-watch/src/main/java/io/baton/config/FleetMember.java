package io.baton.config;

import java.util.Map;

/**
 * What an instance says of itself; gone with its session.
 *
 * @param id what it is called
 * @param host where it runs
 * @param labels it bears
 * @param source where its values come from
 * @param change the number of the last change it has applied
 * @param revision it has applied
 * @param canary the canary change that is in use there; empty if none is
 * @param rejected why it has not applied something newer; empty if nothing was rejected
 */
public record FleetMember(
        String id,
        String host,
        Map<String, String> labels,
        ConfigSource source,
        long change,
        long revision,
        String canary,
        String rejected) {}
