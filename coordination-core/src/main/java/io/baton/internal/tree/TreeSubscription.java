package io.baton.internal.tree;

import io.baton.internal.session.SessionBound;
import io.baton.recipe.TreeFollower;
import io.baton.spi.Session;

/** One tree of records, followed as a whole. On the loop. */
public final class TreeSubscription implements SessionBound {

    private final TreeFollower to;
    private final FollowedTree followed;
    private boolean over;

    public TreeSubscription(String tree, TreeFollower to) {
        this.to = to;
        this.followed = new FollowedTree(tree, to);
    }

    @Override
    public void connected() {
        if (!over) {
            to.connected();
        }
    }

    @Override
    public void suspended() {
        if (!over) {
            to.suspended();
        }
    }

    @Override
    public void lost() {
        followed.cutOff();
        if (!over) {
            to.lost();
        }
    }

    @Override
    public void begin(Session session) {
        followed.follow(session);
    }

    /** Ends the observation. The follower receives {@code closed}, and nothing after it. */
    @Override
    public void stop() {
        followed.stop();
        if (!over) {
            over = true;
            to.closed();
        }
    }
}
