package io.baton.internal.tree;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.spi.Session;
import io.baton.spi.TreeListener;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tree of records, observed in one session after the other. Events of an ended observation are ignored. On the
 * loop.
 */
final class FollowedTree {

    private final String tree;
    private final TreeListener to;
    private @Nullable Following following;

    FollowedTree(String tree, TreeListener to) {
        this.tree = tree;
        this.to = to;
    }

    /** Observes in this session from now on. */
    void follow(Session session) {
        stop();
        Following next = new Following();
        following = next;
        next.end = session.observe(tree, next);
    }

    /** Ends the observation in the store. */
    void stop() {
        Following last = following;
        following = null;
        if (last != null) {
            last.end.run();
        }
    }

    /** The session has ended the observation. */
    void cutOff() {
        following = null;
    }

    private final class Following implements TreeListener {

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

        @Override
        public void interrupted() {
            if (following == this) {
                to.interrupted();
            }
        }

        @Override
        public void resumed() {
            if (following == this) {
                to.resumed();
            }
        }
    }
}
