package io.baton.spi.support;

import io.baton.spi.Loop;
import java.time.Duration;

/**
 * Decides, from what a session's joins find, whether one watch on a whole line is worth its cost. It is worth it for a
 * line that is used often and is short, since every follower is notified of every entry.
 */
public final class FollowHeuristic {

    /** This many joins in a row that had to wait in a short line make it worth following. */
    private static final int HOT = 4;

    /** Following ends after at most this many joins that it cannot help. */
    private static final int HOTTEST = 2 * HOT;

    private final Loop loop;
    private final int shortLine;
    private final int notTooLong;
    private int heat;
    private long lastJoin;

    /** Following begins with at most {@code shortLine} entries ahead, and goes on with at most {@code notTooLong}. */
    public FollowHeuristic(Loop loop, int shortLine, int notTooLong) {
        this.loop = loop;
        this.shortLine = shortLine;
        this.notTooLong = notTooLong;
    }

    /** Counts a join, with its entries ahead. One later than {@code often} after the last starts the count anew. */
    public void joined(int ahead, boolean following, Duration often) {
        long now = loop.nanoTime();
        boolean soon = now - lastJoin < often.toNanos();
        lastJoin = now;
        if (ahead == 0 || ahead > (following ? notTooLong : shortLine)) {
            heat = Math.max(0, heat - 1);
        } else {
            heat = soon ? Math.min(HOTTEST, heat + 1) : 1;
        }
    }

    /** Returns whether following is worth beginning. */
    public boolean shouldStart() {
        return heat >= HOT;
    }

    /** Returns whether following is no longer worth it. */
    public boolean shouldStop() {
        return heat == 0;
    }

    /** Returns whether a line with this many entries ahead is short enough to be followed. */
    public boolean fits(int ahead) {
        return ahead <= notTooLong;
    }
}
