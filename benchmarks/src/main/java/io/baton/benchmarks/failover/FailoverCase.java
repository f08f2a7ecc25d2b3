package io.baton.benchmarks.failover;

import java.util.Locale;

/** What happens to a leader. */
enum FailoverCase {
    /** Its process is killed ({@code SIGKILL}). */
    KILLED,
    /** Its process is stopped ({@code SIGSTOP}). */
    FROZEN,
    /** Nothing reaches the servers from it, and nothing comes from them; the connections stay. */
    CUT_OFF,
    /** It resigns. */
    RESIGNED,
    /** It hands over to another candidate. */
    HANDED_OVER,
    /** The server that leads the cluster is killed ({@code SIGKILL}); nothing happens to the leader itself. */
    SERVER_LOST;

    /** Whether the servers have to find out by themselves, so that it takes about a session timeout. */
    boolean isFoundOut() {
        return this == KILLED || this == FROZEN || this == CUT_OFF;
    }

    /** As on a command line and in raw data. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
