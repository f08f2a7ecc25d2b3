package io.baton.internal;

import io.baton.Subscription;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** All observations of who stands first in a line, carried over from session to session. On the loop, except {@link #add}. */
final class HeadObservations {

    private final ClientLoop loop;
    private final Set<HeadObservation> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean closed;

    HeadObservations(ClientLoop loop) {
        this.loop = loop;
    }

    /** Observes until the subscription is closed; told on the loop. Any thread. */
    Subscription add(Line line, Consumer<Optional<Entry>> to) {
        HeadObservation added = new HeadObservation(line, to);
        loop.post(() -> {
            if (!closed && all.add(added) && session != null) {
                added.follow(session);
            }
        });
        return () -> loop.post(() -> {
            all.remove(added);
            added.stop();
        });
    }

    void ready(Session now) {
        if (session != now) {
            session = now;
            List.copyOf(all).forEach(each -> each.follow(now));
        }
    }

    /** The session is over, and its observations with it. */
    void sessionLost() {
        session = null;
        all.forEach(HeadObservation::cutOff);
    }

    void close() {
        closed = true;
        List.copyOf(all).forEach(HeadObservation::stop);
        all.clear();
    }
}
