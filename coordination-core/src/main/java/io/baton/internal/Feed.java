package io.baton.internal;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Observer;
import io.baton.spi.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One tree of records, followed by one who wants to know all of it. On the loop. */
final class Feed {

    private final String tree;
    private final ConfigFeed.Listener to;
    private @Nullable Following following;
    private boolean over;

    Feed(String tree, ConfigFeed.Listener to) {
        this.tree = tree;
        this.to = to;
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
        following = null;
        if (!over) {
            to.lost();
        }
    }

    /** Observes in this session from now on. */
    void follow(Session session) {
        stop();
        Following next = new Following();
        following = next;
        next.end = session.observe(tree, next);
    }

    /** Nothing more is told after the end. */
    void close() {
        stop();
        if (!over) {
            over = true;
            to.closed();
        }
    }

    private void stop() {
        Following last = following;
        following = null;
        if (last != null) {
            last.end.run();
        }
    }

    /** What an observation that was ended has still to say is not heard. */
    private final class Following implements Observer {

        private Runnable end = () -> {};

        @Override
        public void snapshot(List<Item> all, Position at) {
            if (following == this) {
                to.snapshot(all, at);
            }
        }

        @Override
        public void changed(List<Item> put, List<RecordKey> gone, long revision) {
            if (following == this) {
                to.changed(put, gone, revision);
            }
        }
    }
}
