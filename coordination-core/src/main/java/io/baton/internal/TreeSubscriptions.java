package io.baton.internal;

import io.baton.Subscription;
import io.baton.spi.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whoever in Baton itself follows a whole tree of records, carried over from session to session. On the loop, except {@link #add}. */
final class TreeSubscriptions {

    private final ClientLoop loop;
    private final Set<TreeSubscription> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean inContact;
    private boolean closed;

    TreeSubscriptions(ClientLoop loop) {
        this.loop = loop;
    }

    /** Follows until the subscription is closed. Any thread. */
    Subscription add(String tree, ConfigFeed.Listener to) {
        TreeSubscription added = new TreeSubscription(tree, to);
        if (!loop.post(() -> begin(added))) {
            to.closed();
        }
        return () -> loop.post(() -> end(added));
    }

    private void begin(TreeSubscription added) {
        if (closed) {
            added.close();
            return;
        }
        all.add(added);
        if (session != null) {
            if (inContact) {
                added.connected();
            }
            added.follow(session);
        }
    }

    private void end(TreeSubscription ended) {
        if (all.remove(ended)) {
            ended.close();
        }
    }

    void ready(Session now) {
        boolean another = session != now;
        session = now;
        inContact = true;
        for (TreeSubscription each : List.copyOf(all)) {
            each.connected();
            if (another) {
                each.follow(now);
            }
        }
    }

    void suspended() {
        inContact = false;
        List.copyOf(all).forEach(TreeSubscription::suspended);
    }

    /** The session is over, and what was followed in it with it. */
    void sessionLost() {
        inContact = false;
        session = null;
        List.copyOf(all).forEach(TreeSubscription::lost);
    }

    void close() {
        closed = true;
        List<TreeSubscription> ended = List.copyOf(all);
        all.clear();
        ended.forEach(TreeSubscription::close);
    }
}
