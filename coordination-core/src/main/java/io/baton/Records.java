package io.baton;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One tree of versioned values in the store, for small shared facts. A value should have a few kilobytes, and has
 * {@link io.baton.spi.Guarantees#maxBytes()} bytes at most.
 *
 * <p>Text is stored as UTF-8; {@link Item#text()} reads it.
 *
 * <p><b>Failures.</b> All methods that read or write throw {@link StoreUnavailableException} if the store could not be
 * reached (nothing was applied), {@link OutcomeUnknownException} if a write may have been applied (read before trying
 * again), {@link SessionLostException} if the session ended meanwhile, and {@link CoordinatorClosedException} if the
 * coordinator is closed.
 */
public interface Records {

    /** Returns the tree's name. */
    String tree();

    /** Returns the key of a record in this tree. */
    RecordKey key(String name);

    /**
     * Returns the present value, or empty if there is no such record. It is at least as new as every write that was
     * acknowledged to this coordinator.
     */
    @CheckReturnValue
    Optional<Item> get(String name) throws InterruptedException;

    /**
     * Returns all records whose name starts with this prefix ({@code ""} for all), sorted by name.
     *
     * <p><b>Guarantees.</b> The result is a consistent snapshot: it has all of a transaction's writes, or none. It is
     * at least as new as every write that was acknowledged to this coordinator. It is never partial.
     *
     * <p><b>Not guaranteed.</b> On ZooKeeper, the result may have a part of a transaction while the tree is written
     * without a pause, faster than it can be read. A warning is logged then.
     *
     * <p><b>Cost.</b> The whole tree is read into memory, whatever the prefix: on ZooKeeper with one request per
     * record, on etcd in pages of up to 1,000. That suits some thousand records. For repeated reads, use
     * {@link #observe}, which reads the tree once.
     *
     * @throws StoreUnavailableException if the tree was not read within {@link CoordinatorOptions#requestTimeout()},
     *     for example because it has too many records, or they change faster than they are read
     */
    @CheckReturnValue
    SortedMap<String, Item> list(String prefix) throws InterruptedException;

    /**
     * Writes the value, whether or not there is such a record.
     *
     * @throws StoreUnavailableException if the store could not be reached within
     *     {@link CoordinatorOptions#requestTimeout()}; nothing was written, and nothing is sent later
     * @throws OutcomeUnknownException if no answer came; the value may have been written
     * @throws InterruptedException if the thread is interrupted while it waits. The write goes on: the value may be
     *     written, also later. This holds for the other writes here, too
     */
    void put(String name, byte[] value) throws InterruptedException;

    /** {@link #put(String, byte[])} with text. */
    default void put(String name, String text) throws InterruptedException {
        put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes the value if the record has not changed since it was read.
     *
     * @return false if it has been written, deleted or recreated since; nothing is written then
     * @throws IllegalArgumentException if the item is of another tree
     */
    @CheckReturnValue
    boolean compareAndSet(Item expected, byte[] value) throws InterruptedException;

    /** {@link #compareAndSet(Item, byte[])} with text. */
    @CheckReturnValue
    default boolean compareAndSet(Item expected, String text) throws InterruptedException {
        return compareAndSet(expected, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the value if there is no such record. Returns false if there is one. */
    @CheckReturnValue
    boolean create(String name, byte[] value) throws InterruptedException;

    /** {@link #create(String, byte[])} with text. */
    @CheckReturnValue
    default boolean create(String name, String text) throws InterruptedException {
        return create(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Deletes the record. Has no effect if there is none. */
    void delete(String name) throws InterruptedException;

    /**
     * Follows the records whose name starts with this prefix ({@code ""} for all), across sessions, until the
     * subscription is closed. The listener runs on a callback thread.
     */
    @CheckReturnValue
    Subscription observe(String prefix, RecordsListener listener);
}
