package io.baton.internal;

import io.baton.RecordsListener;
import io.baton.Subscription;
import io.baton.spi.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All observations of records, carried over from session to session. On the loop, except {@link #add}. */
final class Observations {

    private final ClientLoop loop;
    private final Callbacks callbacks;
    private final Set<Observation> all = new LinkedHashSet<>();
    private @Nullable Session session;
    private boolean closed;

    Observations(ClientLoop loop, Callbacks callbacks) {
        this.loop = loop;
        this.callbacks = callbacks;
    }

    /** Observes until the subscription is closed. Any thread. */
    Subscription add(String tree, String prefix, RecordsListener listener) {
        Observation added = new Observation(tree, prefix, listener, callbacks);
        loop.post(() -> {
            if (!closed && all.add(added) && session != null) {
                added.follow(session);
            }
        });
        return () -> {
            added.silence();
            loop.post(() -> {
                all.remove(added);
                added.stop();
            });
        };
    }

    void ready(Session now) {
        if (session != now) {
            session = now;
            all.forEach(each -> each.follow(now));
        }
    }

    /** The session is over, and its observations with it. */
    void sessionLost() {
        session = null;
        all.forEach(Observation::cutOff);
    }

    void close() {
        closed = true;
        for (Observation each : List.copyOf(all)) {
            each.silence();
            each.stop();
        }
        all.clear();
    }
}
