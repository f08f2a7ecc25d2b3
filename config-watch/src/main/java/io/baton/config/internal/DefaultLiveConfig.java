package io.baton.config.internal;

import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.config.BindingBuilder;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigException;
import io.baton.config.ConfigListener;
import io.baton.config.ConfigSnapshot;
import io.baton.config.ConfigStatus;
import io.baton.config.Explanation;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import io.baton.config.UnknownFields;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.Bindings;
import io.baton.config.internal.active.BoundBuilder;
import io.baton.config.internal.active.Current;
import io.baton.config.internal.active.Events;
import io.baton.config.internal.active.KeyDelta;
import io.baton.config.internal.active.MarkedSnapshots;
import io.baton.config.internal.follow.Follower;
import io.baton.config.values.Converters;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import io.baton.config.values.Unbindable;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** The public view of a configuration: reads the state in use. Any thread. */
public final class DefaultLiveConfig implements LiveConfig {

    /** How long closing waits for the cache. */
    private static final Duration LAST_WRITE = Duration.ofSeconds(2);

    private final Current inUse;
    private final Bindings bindings;
    private final Events events;
    private final RevisionWaiters awaited;
    private final UnknownFields unknown;
    private final Converters converters;
    private final Following following;
    private final MarkedSnapshots snapshots;

    /** The activity behind a configuration. */
    interface Following {

        /** Returns the newest position received from the store. */
        Follower.Seen seen();

        /** Returns how long that has been unconfirmed. */
        Duration unconfirmedFor();

        /** Returns the contact with the store. */
        SessionState contact();

        /** Rejects this canary. */
        void rejectCanary(String id, String reason);

        /** Approves this canary. */
        void approveCanary(String id);

        /** Stops it without waiting; completes once nothing is left to do. */
        CompletableFuture<Void> stop();
    }

    DefaultLiveConfig(
            Current inUse,
            Bindings bindings,
            Events events,
            RevisionWaiters awaited,
            UnknownFields unknown,
            Converters converters,
            Following following) {
        this.inUse = inUse;
        this.bindings = bindings;
        this.events = events;
        this.awaited = awaited;
        this.unknown = unknown;
        this.converters = converters;
        this.following = following;
        this.snapshots = new MarkedSnapshots(bindings.secrets());
    }

    @Override
    public ConfigSnapshot snapshot() {
        return snapshots.of(inUse.get());
    }

    @Override
    public Optional<String> get(String path) {
        try {
            return inUse.get().layers().text(path);
        } catch (Unbindable malformed) {
            throw new ConfigException(malformed.key() + ": " + malformed.reason());
        }
    }

    @Override
    public <T> BindingBuilder<T> binding(String name, Class<T> type) {
        return new BoundBuilder<>(bindings, name, type, unknown, converters);
    }

    @Override
    public Explanation explain(String path) {
        Layers layers = inUse.get().layers();
        SecretPaths secrets = bindings.secrets();
        return layers.explain(path, secrets);
    }

    @Override
    public ConfigStatus status() {
        Follower.Seen seen = following.seen();
        ActiveConfig now = inUse.get();
        ConfigSnapshot snapshot = now.snapshot();
        return new ConfigStatus(
                snapshot.source(),
                snapshot.position(),
                snapshot.change(),
                seen.at(),
                seen.change(),
                following.contact(),
                following.unconfirmedFor(),
                now.rejection(),
                Optional.of(now.canary()).filter(id -> !id.isEmpty()));
    }

    @Override
    public boolean awaitRevision(long revision, Duration timeout) throws InterruptedException {
        CompletableFuture<Boolean> reached = awaited.revision(revision);
        try {
            return reached.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException never) {
            throw new IllegalStateException(never);
        } finally {
            awaited.forget(reached);
        }
    }

    @Override
    public Subscription onKey(String key, ListenerOptions options, ConfigListener listener) {
        return bindings.listen(options, all -> all.of(key), asDeltaListener(listener));
    }

    @Override
    public Subscription onPrefix(String prefix, ListenerOptions options, ConfigListener listener) {
        return bindings.listen(options, all -> all.under(prefix), asDeltaListener(listener));
    }

    private static Consumer<KeyDelta> asDeltaListener(ConfigListener listener) {
        return delta -> listener.changed(delta.differences().shown(), delta.revision());
    }

    @Override
    public Subscription onEvent(Consumer<ConfigEvent> listener) {
        return events.add(listener);
    }

    @Override
    public void rejectCanary(String id, String reason) {
        following.rejectCanary(id, reason);
    }

    @Override
    public void approveCanary(String id) {
        following.approveCanary(id);
    }

    @Override
    public void close() {
        CompletableFuture<Void> kept = end();
        if (!Callbacks.inside()) {
            boolean unused = Futures.awaitDone(LAST_WRITE, kept);
        }
    }

    /** Closes it without waiting; completes once the cache is written. */
    CompletableFuture<Void> end() {
        ActiveConfig last = inUse.change(ActiveConfig::ended);
        last.audiences().forEach(ActiveConfig.Audience::end);
        CompletableFuture<Void> kept = following.stop();
        awaited.close();
        events.close();
        return kept;
    }

    @Override
    public String toString() {
        ConfigSnapshot now = inUse.get().snapshot();
        return "configuration " + now.source() + " at " + now.position().revision();
    }
}
