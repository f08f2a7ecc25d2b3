package io.baton.spi.support;

import io.baton.spi.Loop;
import java.time.Duration;

/**
 * Whether one watch on a whole line is worth its price, judged by what the joins of this session find: it is in a line
 * that is used often and is short, as every follower is told of every entry.
 */
public final class FollowHeuristic {

    /** So many joins in turn that had to wait in a short line make it worth following. */
    private static final int HOT = 4;

    /** So many more joins that need not, or cannot, be served so well end it. */
    private static final int HOTTEST = 2 * HOT;

    private final Loop loop;
    private final int shortLine;
    private final int notTooLong;
    private int heat;
    private long lastJoin;

    /** With so many ahead at most one begins to follow, and with so many one goes on. */
    public FollowHeuristic(Loop loop, int shortLine, int notTooLong) {
        this.loop = loop;
        this.shortLine = shortLine;
        this.notTooLong = notTooLong;
    }

    /** A join has found so many ahead; {@code often} is how soon after another one it must come to count. */
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

    /** Worth beginning. */
    public boolean shouldStart() {
        return heat >= HOT;
    }

    /** Not worth going on. */
    public boolean shouldStop() {
        return heat == 0;
    }

    /** Whether a line with so many ahead is short enough to be followed. */
    public boolean fits(int ahead) {
        return ahead <= notTooLong;
    }
}
