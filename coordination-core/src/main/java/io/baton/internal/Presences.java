package io.baton.internal;

import io.baton.spi.Line;
import io.baton.spi.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that this client says of itself in lines, carried over from session to session. On the loop, except {@link #add}. */
final class Presences {

    private final OwnLoop loop;
    private final Set<Presence> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean closed;

    Presences(OwnLoop loop) {
        this.loop = loop;
    }

    /** One more; nothing is to be seen of it before it says something. Any thread. */
    Presence add(Line line) {
        Presence added = new Presence(line, loop, all::remove);
        loop.post(() -> {
            if (!closed && all.add(added) && session != null) {
                added.ready(session);
            }
        });
        return added;
    }

    void ready(Session now) {
        if (session != now) {
            session = now;
            List.copyOf(all).forEach(each -> each.ready(now));
        }
    }

    /** The session is over, and its entries with it. */
    void sessionLost() {
        session = null;
        all.forEach(Presence::sessionLost);
    }

    /** Nobody joins any more; what stands goes with the session. */
    void close() {
        closed = true;
        List.copyOf(all).forEach(Presence::sessionLost);
        all.clear();
    }
}
