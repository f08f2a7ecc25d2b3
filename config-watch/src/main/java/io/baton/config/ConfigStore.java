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

    /** Returns the store of the space {@code config}. */
    static ConfigStore of(Coordinator baton) {
        return of(baton, "config");
    }

    /**
     * Returns the store of a space.
     *
     * @param tree the tree of records that holds the values; their history is in {@code <tree>.history}
     * @throws IllegalArgumentException if the tree's name is invalid, the coordinator is not Baton's, or its store may
     *     lose acknowledged writes and {@link io.baton.CoordinatorOptions#acceptLoss} is not set
     */
    static ConfigStore of(Coordinator baton, String tree) {
        return new StoredConfig(ConfigSpace.of(baton, tree));
    }

    /** Returns a key's value; empty if there is none. */
    Optional<ConfigValue> get(String key) throws InterruptedException;

    /**
     * Returns all values with this key prefix, as one consistent snapshot. On ZooKeeper, it may have a part of a
     * transaction while the space is written without a pause, faster than it can be read.
     */
    SortedMap<String, ConfigValue> list(String prefix) throws InterruptedException;

    /** Starts a change. */
    @CheckReturnValue
    ConfigEdit edit();

    /** Returns the last changes, at most {@code limit}, newest first. */
    List<ConfigEntry> history(int limit) throws InterruptedException;

    /** Returns a change; empty if it does not exist or is no longer kept. */
    Optional<ConfigEntry> change(long number) throws InterruptedException;

    /**
     * Returns the differences between the states after two changes; 0 is the state before the first one.
     *
     * @throws ConfigException if there is no such change, or the history does not reach back so far
     */
    List<KeyChange> diff(long from, long to) throws InterruptedException;

    /**
     * Starts a change that restores the state after an earlier one. Values written without Baton since are undone only
     * where a later change has touched the same key.
     *
     * @throws ConfigException if there is no such change, or the history does not reach back so far
     */
    @CheckReturnValue
    ConfigEdit rollback(long change) throws InterruptedException;

    /** Sets how many changes are kept at most. Default 1,000. */
    void retain(int changes) throws InterruptedException;

    /**
     * Sets how many changes are kept at most, and how many bytes of them, with each key's text before and after.
     * Default 1,000 changes and 16 MiB. The oldest go first; the newest is always kept. This call removes any excess.
     * Later, each change removes at most 100, as far as its transaction has room.
     */
    void retain(int changes, long bytes) throws InterruptedException;

    /** Returns how much of the history may be kept, and how much there is. */
    ConfigRetention retention() throws InterruptedException;

    /** Returns the canary in progress; empty if there is none. */
    Optional<Canary> canary() throws InterruptedException;

    /**
     * Promotes the canary to a change for all instances. This asks each chosen instance, which must answer within 10 s.
     * At least one must have been chosen, and each must run the canary without objection.
     *
     * @throws ConfigConflictException if there are {@link Canary#objections objections}, or one of its keys was written
     *     since
     */
    ConfigCommit promote(String canary) throws InterruptedException;

    /** {@link #promote} without waiting; completes on a callback thread. */
    @CheckReturnValue
    CompletableFuture<ConfigCommit> promoteAsync(String canary);

    /** Aborts the canary; its instances return to the common values. */
    void abort(String canary) throws InterruptedException;

    /** {@link #abort} without waiting; completes on a callback thread. */
    @CheckReturnValue
    CompletableFuture<Void> abortAsync(String canary);

    /** Returns the named instances that follow this space, and their progress. */
    List<FleetMember> fleet() throws InterruptedException;
}
