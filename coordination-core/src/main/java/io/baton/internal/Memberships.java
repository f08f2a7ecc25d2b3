package io.baton.internal;

import io.baton.spi.Line;
import io.baton.spi.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All that this client says of itself in lines, carried over from session to session. On the loop, except {@link #add}. */
final class Memberships {

    private final ClientLoop loop;
    private final Set<Membership> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean closed;

    Memberships(ClientLoop loop) {
        this.loop = loop;
    }

    /** One more; nothing is to be seen of it before it says something. Any thread. */
    Membership add(Line line) {
        Membership added = new Membership(line, loop, all::remove);
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
        all.forEach(Membership::sessionLost);
    }

    /** Nobody joins any more; what stands goes with the session. */
    void close() {
        closed = true;
        List.copyOf(all).forEach(Membership::sessionLost);
        all.clear();
    }
}
