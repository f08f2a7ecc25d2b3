package io.baton.config;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.store.StoredConfig;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;

/**
 * Reads and writes the configuration in the store, and its history. It is for tools and operators; a service uses
 * {@link LiveConfig}.
 *
 * <p><b>Guarantees.</b> Each change is one transaction of all its keys and its place in the history. No change is lost
 * to another writer. Values that are written without Baton are seen, but have no place in the history.
 *
 * <p>Calls block until the store has answered, except {@code of}, {@code edit} and those that return a future. They
 * throw {@link io.baton.CoordinationException} and its subclasses. All methods may be called by any thread.
 */
public interface ConfigStore {

    /** Of the space {@code config}. */
    static ConfigStore of(Coordinator baton) {
        return of(baton, "config");
    }

    /**
     * Of this space.
     *
     * @param tree of records that holds the values; their history is in {@code <tree>.history}
     * @throws IllegalArgumentException if there can be no such tree, the coordinator is none of Baton's, or its store
     *     may lose what it has acknowledged, which was not accepted
     */
    static ConfigStore of(Coordinator baton, String tree) {
        return new StoredConfig(ConfigSpace.of(baton, tree));
    }

    /** A key's value; empty if there is none. */
    Optional<ConfigValue> get(String key) throws InterruptedException;

    /** All values with this key prefix, as one consistent snapshot. */
    SortedMap<String, ConfigValue> list(String prefix) throws InterruptedException;

    /** Begins a change. */
    @CheckReturnValue
    ConfigEdit edit();

    /** The last changes, the newest first. */
    List<ConfigEntry> history(int limit) throws InterruptedException;

    /** A change; empty if there is none of this number, or it is no longer kept. */
    Optional<ConfigEntry> change(long number) throws InterruptedException;

    /**
     * The differences between the states after two changes; 0 is the state before the first one.
     *
     * @throws ConfigException if the history does not reach back so far
     */
    List<KeyChange> diff(long from, long to) throws InterruptedException;

    /**
     * Begins a change that brings back the state after an earlier one. What was written without Baton since is undone
     * only where a change since has touched the same key.
     *
     * @throws ConfigException if the history does not reach back so far
     */
    @CheckReturnValue
    ConfigEdit rollback(long change) throws InterruptedException;

    /** Sets how many changes are kept at most. Default 1,000. */
    void retain(int changes) throws InterruptedException;

    /**
     * How many changes are kept at most, and how many bytes of them, each with the texts of its keys as they were
     * before and after. Default 1,000 changes and 16 MiB. The older ones go first; the newest is kept whatever it
     * takes. What is too much now goes at once; later, each change takes away at most 100, as far as its transaction
     * has room.
     */
    void retain(int changes, long bytes) throws InterruptedException;

    /** How much of the history is kept, and how much there is. */
    ConfigRetention retention() throws InterruptedException;

    /** The canary in progress; empty if there is none. */
    Optional<Canary> canary() throws InterruptedException;

    /**
     * Makes the canary a change for all, if at least one instance was chosen at its begin, and each of them runs it,
     * and answers within 10 s of being asked that it has no objection.
     *
     * @throws ConfigConflictException if there are {@link Canary#objections objections}, or a key of it has been
     *     written since
     */
    ConfigCommit promote(String canary) throws InterruptedException;

    /** {@link #promote} without waiting; completes on a callback thread. */
    @CheckReturnValue
    CompletableFuture<ConfigCommit> promoteAsync(String canary);

    /** Takes the canary back; its instances return to the common values. */
    void abort(String canary) throws InterruptedException;

    /** {@link #abort} without waiting; completes on a callback thread. */
    @CheckReturnValue
    CompletableFuture<Void> abortAsync(String canary);

    /** The instances that follow this space, and their progress. */
    List<FleetMember> fleet() throws InterruptedException;
}
