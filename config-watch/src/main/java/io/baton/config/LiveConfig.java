package io.baton.config;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.Subscription;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A service's configuration, which follows the store.
 *
 * <p><b>Guarantees.</b> A service applies store states in order, possibly skipping some, and always ends at the latest
 * one, even after disconnects, expired sessions, compaction or server restarts. A revision is applied
 * as a whole or not at all, and only if it can be parsed, bound, validated and prepared for everything that is bound;
 * otherwise the last good one stays in use. What was written in one transaction is seen in one revision.
 *
 * <p><b>Layers.</b> Each value comes from the strongest layer that has it: store, environment, file, defaults.
 * Documents are merged leaf by leaf; lists are taken whole.
 *
 * <p><b>Without the store</b> it starts with what the cache file holds (CACHED), or what the service brings along
 * (BUNDLED), and switches over as soon as there is contact. For that the coordinator must be one that {@link
 * io.baton.CoordinatorOptions.Builder#inBackground connects in the background}.
 */
public interface LiveConfig extends AutoCloseable {

    /** Collects settings. The coordinator stays the caller's to close, after this. */
    static LiveConfigBuilder builder(Coordinator baton) {
        return new LiveConfigBuilder(baton);
    }

    /** The values of the store that are in use. */
    ConfigSnapshot snapshot();

    /** The effective text of a key, or of a path within a document, over all layers. */
    Optional<String> get(String path);

    /**
     * Begins to bind a value: a document at the key {@code name}, {@code name.json}, {@code name.yaml}, {@code
     * name.yml} or {@code name.properties}, single keys {@code name.field}, and the same of the other layers, merged.
     *
     * @param type a record, a class with a constructor without arguments, an enum, or a simple type
     */
    @CheckReturnValue
    <T> BindingBuilder<T> binding(String name, Class<T> type);

    /** {@link #binding} without more conditions than those of the type. */
    default <T> Binding<T> bind(String name, Class<T> type) {
        return binding(name, type).bind();
    }

    /** Where the value of a key, or of a path within a document, has come from. */
    Explanation explain(String path);

    /** The present status. */
    ConfigStatus status();

    /**
     * Waits until what is in use is at least of this revision: to read what one has written, as {@link
     * ConfigCommit#revision()}.
     *
     * @return false if it was not in time, as when the revision is rejected
     */
    @CheckReturnValue
    boolean awaitRevision(long revision, Duration timeout) throws InterruptedException;

    /**
     * The application's verdict on the canary of this id, as {@link ConfigStatus#canary()} tells it: it does harm. All
     * goes back to the values of the others at once, and the canary is held, so that it can only be taken back. Of no
     * effect if there is no such canary. Does not wait.
     *
     * @param reason for operators; without secrets
     */
    void rejectCanary(String id, String reason);

    /**
     * The application's verdict on the canary of this id: it has nothing against it. Needed where {@link
     * LiveConfigBuilder#approvesCanaries} says so: there a canary is not promoted without it. Does not wait.
     */
    void approveCanary(String id);

    /** Notifies the listener of a key of the store. */
    Subscription onKey(String key, ListenerOptions options, ConfigListener listener);

    /** Notifies the listener of all keys of the store with this prefix. */
    Subscription onPrefix(String prefix, ListenerOptions options, ConfigListener listener);

    /**
     * Notifies of events from now on, in order. A slow listener misses the oldest of more than 1,000 waiting events.
     */
    Subscription onEvent(Consumer<ConfigEvent> listener);

    /**
     * Stops following; bindings keep their values, and listeners are not called any more. Waits for the last write of
     * the cache, for at most 2 s, unless within a callback. Idempotent.
     */
    @Override
    void close();
}
