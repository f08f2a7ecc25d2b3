package io.baton.internal;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.spi.Loop;
import io.baton.spi.RequestListener;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one session open: when one is lost, opens another after a pause that grows and is never the same. On the loop. */
final class SessionKeeper {

    /** Told of the session's life. */
    interface Watcher {
        /** In contact. */
        void connected(Session session);

        /** Out of contact. */
        void suspended();

        /** A better proof. */
        void proven();

        /** Over; a new one will be opened. */
        void lost(CoordinationException why);

        /** The store refuses what we ask of a session, so that there will be none. */
        void refused(Throwable why);

        /** Who wants to know of each request, if anybody. */
        Optional<RequestListener> requests();
    }

    private static final Logger log = LoggerFactory.getLogger(SessionKeeper.class);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(2_500);

    private final Store store;
    private final OwnLoop loop;
    private final CoordinatorOptions options;
    private final Watcher watcher;
    private volatile @Nullable Session session;
    private Duration pause = SHORTEST_PAUSE;
    private final RepeatedWarning warning = new RepeatedWarning();
    private final RaisedTtlWarning raised = new RaisedTtlWarning();
    private boolean closed;

    SessionKeeper(Store store, OwnLoop loop, CoordinatorOptions options, Watcher watcher) {
        this.store = store;
        this.loop = loop;
        this.options = options;
        this.watcher = watcher;
    }

    void open() {
        if (closed) {
            return;
        }
        try {
            Life life = new Life();
            Session opened = store.open(spec(), loop.raw(), life);
            life.own = opened;
            session = opened;
        } catch (Throwable failed) {
            warn("Cannot open a session", String.valueOf(failed.getMessage()));
            watcher.refused(failed);
            openLater();
        }
    }

    /** Ends the session, for good; completes once the store has confirmed, or there is none. */
    CompletionStage<Void> close() {
        closed = true;
        Session last = session;
        return last == null ? CompletableFuture.completedStage(null) : last.close();
    }

    /** Why there is no contact, for people, if that is known. Any thread. */
    Optional<String> trouble() {
        Session now = session;
        return now == null ? Optional.empty() : now.trouble();
    }

    private SessionSpec spec() {
        return new SessionSpec(options.ttl(), options.client(), options.strictTtl());
    }

    private void warn(String what, String why) {
        warning.line(what, why, Instant.ofEpochMilli(loop.wallMillis())).ifPresent(log::warn);
    }

    private void openLater() {
        loop.after(loop.jittered(pause), this::open);
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private final class Life implements SessionListener {

        private @Nullable Session own;
        private Loop.Timer silence = () -> {};

        @Override
        public void connected() {
            silence.cancel();
            if (own != null && !closed) {
                pause = SHORTEST_PAUSE;
                warning.reset();
                raised.line(options.ttl(), own).ifPresent(log::warn);
                watcher.connected(own);
            }
        }

        @Override
        public void suspended() {
            if (!closed) {
                silence.cancel();
                silence = loop.after(options.ttl().dividedBy(2), this::silent);
                watcher.suspended();
            }
        }

        /** Holds are about to be lost, or were: somebody may have to do something. */
        private void silent() {
            if (own != null && !closed) {
                warn(
                        "Session " + own.id() + " is out of contact, and goes on trying",
                        own.trouble().orElse("no answer"));
                silence = loop.after(options.ttl(), this::silent);
            }
        }

        @Override
        public void proven() {
            if (!closed) {
                watcher.proven();
            }
        }

        @Override
        public Optional<RequestListener> requests() {
            return watcher.requests();
        }

        @Override
        public void lost(CoordinationException why) {
            session = null;
            silence.cancel();
            if (!closed) {
                warn("Session " + (own == null ? "" : own.id()) + " is lost", String.valueOf(why.getMessage()));
                watcher.lost(why);
                openLater();
            }
        }
    }
}
