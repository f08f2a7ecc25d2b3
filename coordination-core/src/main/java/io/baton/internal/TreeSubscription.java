package io.baton.internal;

import io.baton.spi.Session;

/** One tree of records, followed by one who wants to know all of it. On the loop. */
final class TreeSubscription {

    private final ConfigFeed.Listener to;
    private final FollowedTree followed;
    private boolean over;

    TreeSubscription(String tree, ConfigFeed.Listener to) {
        this.to = to;
        this.followed = new FollowedTree(tree, to);
    }

    void connected() {
        if (!over) {
            to.connected();
        }
    }

    void suspended() {
        if (!over) {
            to.suspended();
        }
    }

    /** The session has ended the observation. */
    void lost() {
        followed.cutOff();
        if (!over) {
            to.lost();
        }
    }

    /** Observes in this session from now on. */
    void follow(Session session) {
        followed.follow(session);
    }

    /** Nothing more is told after the end. */
    void close() {
        followed.stop();
        if (!over) {
            over = true;
            to.closed();
        }
    }
}
