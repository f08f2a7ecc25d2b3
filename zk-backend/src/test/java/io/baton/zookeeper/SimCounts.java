package io.baton.zookeeper;

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
}
