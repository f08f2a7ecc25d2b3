package io.baton.zookeeper;

import java.util.Map;

/** How often what has happened in a simulated run. */
final class SimCounts {
    long commits;
    long expiries;
    long localExpiries;
    long disconnects;
    long lostRequests;
    long lostReplies;
    long delays;
    long silences;
    long refusedConnects;
    long partitions;
    long outages;
    long slowQuorums;
    long staleReads;
    long reapedContainers;
    long follows;
    long unfollows;
    long followedRemovals;

    /** Adds them, by name. */
    void addTo(Map<String, Long> totals) {
        totals.merge("expiries", expiries, Long::sum);
        totals.merge("given up by the library", localExpiries, Long::sum);
        totals.merge("disconnects", disconnects, Long::sum);
        totals.merge("silences", silences, Long::sum);
        totals.merge("delays", delays, Long::sum);
        totals.merge("lost requests", lostRequests, Long::sum);
        totals.merge("lost replies", lostReplies, Long::sum);
        totals.merge("partitions", partitions, Long::sum);
        totals.merge("outages", outages, Long::sum);
        totals.merge("slow quorums", slowQuorums, Long::sum);
        totals.merge("stale reads", staleReads, Long::sum);
        totals.merge("reaped containers", reapedContainers, Long::sum);
        totals.merge("lines followed", follows, Long::sum);
        totals.merge("lines no longer followed", unfollows, Long::sum);
        totals.merge("removals told by following", followedRemovals, Long::sum);
    }
}
