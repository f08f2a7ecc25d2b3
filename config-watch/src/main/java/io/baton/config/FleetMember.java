package io.baton.config;

import java.util.Map;

/**
 * The published state of an instance, which disappears with its session.
 *
 * @param id the name of the instance
 * @param process the id of the process, different for each start
 * @param host the host that it runs on
 * @param labels the labels that it bears
 * @param source where its values come from
 * @param change the number of the last change it has applied
 * @param revision the revision it has applied
 * @param canary the id of the canary in use there; empty if none is
 * @param asked the latest value of {@link Canary#asked()} that it has answered
 * @param approves whether it has no objection to the canary in use there; false until {@link LiveConfig#approveCanary}
 *     if its application must approve
 * @param rejected why it has not applied newer values; empty if nothing was rejected
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
