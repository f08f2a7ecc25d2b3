package io.baton.internal.session;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.spi.RequestListener;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import io.baton.spi.support.RunAll;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one session open. After a loss it opens another, following a pause that grows, with jitter. On the loop. */
public final class SessionKeeper {

    /** Receives the session's events. */
    public interface Watcher {
        /** In contact. */
        void connected(Session session);

        /** Out of contact. */
        void suspended();

        /** A better proof. */
        void proven();

        /** The session has ended; a new one will be opened. */
        void lost(CoordinationException why);

        /** The store has refused to open a session; another attempt follows. */
        void refused(Throwable why);

        /** Returns the listener of each request, if there is one. */
        Optional<RequestListener> requests();
    }

    private static final Logger log = LoggerFactory.getLogger(Coordinator.class);
    private static final String NONE = "Cannot open a session";
    private static final String LOST = "The session was lost, and another is asked for";
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(2_500);

    private final Store store;
    private final ClientLoop loop;
    private final CoordinatorOptions options;
    private final Watcher watcher;
    private final Troubles troubles;
    private volatile @Nullable Session session;
    private @Nullable Life life;
    private Duration pause = SHORTEST_PAUSE;
    private final RaisedTtlWarning raised = new RaisedTtlWarning();
    private boolean closed;

    public SessionKeeper(Store store, ClientLoop loop, CoordinatorOptions options, Watcher watcher, Troubles troubles) {
        this.store = store;
        this.loop = loop;
        this.options = options;
        this.watcher = watcher;
        this.troubles = troubles;
    }

    public void open() {
        if (closed) {
            return;
        }
        try {
            Life next = new Life();
            Session opened = store.open(spec(), loop.raw(), next);
            next.begin(opened);
            life = next;
            session = opened;
        } catch (Throwable failed) {
            troubles.report(NONE, String.valueOf(failed.getMessage()));
            watcher.refused(failed);
            openLater();
        }
    }

    /** Ends the session for good. Completes once the store has confirmed, or at once if there is none. */
    public CompletionStage<Void> close() {
        closed = true;
        if (life != null) {
            life.end();
        }
        Session last = session;
        return last == null ? CompletableFuture.completedStage(null) : last.close();
    }

    /** Returns why there is no contact, for people, if that is known. Any thread. */
    public Optional<String> whyNoContact() {
        Session now = session;
        return now == null ? Optional.empty() : now.trouble();
    }

    private SessionSpec spec() {
        return new SessionSpec(options.ttl(), options.client(), options.strictTtl());
    }

    private void openLater() {
        loop.after(loop.jittered(pause), this::open);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private final class Life implements SessionListener {

        private @Nullable Session own;
        private @Nullable ContactWatch contact;

        void begin(Session opened) {
            own = opened;
            contact = new ContactWatch(loop, opened, troubles);
        }

        @Override
        public void connected() {
            if (own != null && contact != null && !closed) {
                pause = SHORTEST_PAUSE;
                troubles.resolved(NONE);
                troubles.resolved(LOST);
                contact.connected();
                raised.line(options.ttl(), own).ifPresent(log::warn);
                watcher.connected(own);
            }
        }

        @Override
        public void suspended() {
            if (contact != null && !closed) {
                contact.suspended();
                watcher.suspended();
            }
        }

        @Override
        public void proven() {
            if (!closed) {
                watcher.proven();
            }
        }

        @Override
        public void troubled(String what, String why) {
            if (!closed) {
                troubles.reportOfSession(what, why);
            }
        }

        @Override
        public void resolved(String what) {
            troubles.resolved(what);
        }

        @Override
        public Optional<RequestListener> requestListener() {
            return watcher.requests();
        }

        @Override
        public void lost(CoordinationException why) {
            session = null;
            end();
            if (!closed) {
                troubles.sessionEnded();
                troubles.report(LOST, String.valueOf(why.getMessage()));
                RunAll.all(() -> watcher.lost(why), SessionKeeper.this::openLater);
            }
        }

        void end() {
            if (contact != null) {
                contact.stop();
            }
        }
    }
}
