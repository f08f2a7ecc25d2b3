package io.baton.config;

import java.util.Map;

/**
 * What an instance says of itself; gone with its session.
 *
 * @param id what it is called
 * @param process different for each start: two with one id are two
 * @param host where it runs
 * @param labels it bears
 * @param source where its values come from
 * @param change the number of the last change it has applied
 * @param revision it has applied
 * @param canary the canary change that is in use there; empty if none is
 * @param asked how often the canary's author has asked how it does, as far as that is known there
 * @param approves whether it has nothing against the canary in use there; false while the application has not yet {@link
 *     LiveConfig#approveCanary approved} it, where it has to
 * @param rejected why it has not applied something newer; empty if nothing was rejected
 */
public record FleetMember(
        String id,
        String process,
        String host,
        Map<String, String> labels,
        ConfigSource source,
        long change,
        long revision,
        String canary,
        long asked,
        boolean approves,
        String rejected) {}
