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
 * one, even after disconnects, expired sessions, compaction or server restarts. A revision is applied as a whole or not
 * at all. It is applied only if every binding, except {@link BindingBuilder#independent} ones, can parse, bind,
 * validate and prepare it. Otherwise the last good revision stays in use. All writes of one transaction appear in one
 * revision.
 *
 * <p><b>Not guaranteed.</b> On ZooKeeper, a revision may have a part of a transaction of several keys while more is
 * written than can be read for long. Keys that must never be seen apart belong into one document.
 *
 * <p><b>Layers.</b> Each value comes from the strongest layer that has it: override, store, environment, file,
 * defaults. Documents are merged leaf by leaf; lists are taken whole.
 *
 * <p><b>Without the store</b> it starts with the values in the cache file (CACHED) or with the service's own layers
 * (BUNDLED). It switches to the store on first contact. This needs a coordinator that {@link
 * io.baton.CoordinatorOptions.Builder#inBackground connects in the background}.
 */
public interface LiveConfig extends AutoCloseable {

    /** Starts building a configuration. The caller closes the coordinator, after the configuration. */
    static LiveConfigBuilder builder(Coordinator baton) {
        return new LiveConfigBuilder(baton);
    }

    /** Returns the store's values that are in use. */
    ConfigSnapshot snapshot();

    /** Returns the effective text of a key, or of a path within a document, over all layers. */
    Optional<String> get(String path);

    /**
     * Starts binding a value. The value is a document at the key {@code name}, {@code name.json}, {@code name.yaml},
     * {@code name.yml} or {@code name.properties}, or single keys {@code name.field}. All of these are merged, in all
     * layers.
     *
     * @param type a record, a class with a constructor without arguments, an enum, or a simple type
     */
    @CheckReturnValue
    <T> BindingBuilder<T> binding(String name, Class<T> type);

    /** {@link #binding} without conditions beyond those of the type. */
    default <T> Binding<T> bind(String name, Class<T> type) {
        return binding(name, type).bind();
    }

    /** Returns where the value of a key, or of a path within a document, comes from. */
    Explanation explain(String path);

    /** Returns the present status. */
    ConfigStatus status();

    /**
     * Waits until the revision in use is at least this one. With {@link ConfigCommit#revision()}, a writer reads its
     * own write.
     *
     * @return false if the timeout passes first, as when the revision is rejected, or if this is closed
     */
    @CheckReturnValue
    boolean awaitRevision(long revision, Duration timeout) throws InterruptedException;

    /**
     * Rejects the canary with this id, which {@link ConfigStatus#canary()} shows, as harmful. This instance returns to
     * the common values at once, and the canary is held: it can only be aborted. Without such a canary this does
     * nothing. Does not wait.
     *
     * @param reason for operators; without secrets
     */
    void rejectCanary(String id, String reason);

    /**
     * Approves the canary with this id. With {@link LiveConfigBuilder#approvesCanaries}, a canary cannot be promoted
     * without this call. Does not wait.
     */
    void approveCanary(String id);

    /** Adds a listener for one key of the store. */
    Subscription onKey(String key, ListenerOptions options, ConfigListener listener);

    /** Adds a listener for all keys of the store with this prefix. */
    Subscription onPrefix(String prefix, ListenerOptions options, ConfigListener listener);

    /**
     * Adds a listener for events from now on, in order. When more than 1,000 events wait, a slow listener misses the
     * oldest.
     */
    Subscription onEvent(Consumer<ConfigEvent> listener);

    /**
     * Stops following. Bindings keep their values, and listeners are not called any more. Waits at most 2 s for the
     * last write of the cache, except within a callback. Idempotent.
     */
    @Override
    void close();
}
