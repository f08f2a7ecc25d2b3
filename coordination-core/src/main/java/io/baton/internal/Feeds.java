package io.baton.internal;

import io.baton.Subscription;
import io.baton.spi.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whoever in Baton itself follows a whole tree of records, carried over from session to session. On the loop, except {@link #add}. */
final class Feeds {

    private final OwnLoop loop;
    private final Set<Feed> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean inContact;
    private boolean closed;

    Feeds(OwnLoop loop) {
        this.loop = loop;
    }

    /** Follows until the subscription is closed. Any thread. */
    Subscription add(String tree, ConfigFeed.Listener to) {
        Feed added = new Feed(tree, to);
        if (!loop.post(() -> begin(added))) {
            to.closed();
        }
        return () -> loop.post(() -> end(added));
    }

    private void begin(Feed added) {
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

    private void end(Feed ended) {
        if (all.remove(ended)) {
            ended.close();
        }
    }

    void ready(Session now) {
        boolean another = session != now;
        session = now;
        inContact = true;
        for (Feed each : List.copyOf(all)) {
            each.connected();
            if (another) {
                each.follow(now);
            }
        }
    }

    void suspended() {
        inContact = false;
        List.copyOf(all).forEach(Feed::suspended);
    }

    /** The session is over, and what was followed in it with it. */
    void sessionLost() {
        inContact = false;
        session = null;
        List.copyOf(all).forEach(Feed::lost);
    }

    void close() {
        closed = true;
        List<Feed> ended = List.copyOf(all);
        all.clear();
        ended.forEach(Feed::close);
    }
}
