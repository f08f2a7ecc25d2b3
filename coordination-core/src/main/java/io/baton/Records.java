package io.baton;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SortedMap;

/**
 * One tree of versioned values in the store. For small shared facts: a value has a few kilobytes at best and
 * {@link io.baton.spi.Guarantees#maxBytes()} at most.
 *
 * <p>Text is stored as UTF-8; {@link Item#text()} reads it.
 *
 * <p><b>Failures.</b> {@link StoreUnavailableException}: nothing was applied. {@link OutcomeUnknownException}: a write
 * may have been applied; read before trying again. {@link SessionLostException}: the session ended meanwhile.
 */
public interface Records {

    /** The tree's name. */
    String tree();

    /** The key of a record in this tree. */
    RecordKey key(String name);

    /** The present value: at least as new as every write that was acknowledged to this coordinator. */
    @CheckReturnValue
    Optional<Item> get(String name) throws InterruptedException;

    /**
     * All records whose name starts with this prefix ({@code ""}: all), by name.
     *
     * <p><b>Guarantees.</b> They are what they were together at one moment: of a transaction all is seen, or nothing. It
     * is at least as new as every write that was acknowledged to this coordinator. All of them are returned, or none.
     *
     * <p><b>Not guaranteed</b> on ZooKeeper, while a tree is written without a pause and faster than it can be read: that
     * all of a transaction is seen. A warning is logged then.
     *
     * <p><b>Cost.</b> The whole tree is read, whatever the prefix, and kept in memory meanwhile: on ZooKeeper with a
     * request for each record, on etcd in pages of up to 1,000. That suits some thousand records. To look again and again,
     * {@link #observe}: it reads the tree once.
     *
     * @throws StoreUnavailableException if the tree was not read within {@link CoordinatorOptions#requestTimeout()}, as
     *     when it has too many records, or they change faster than they are read
     */
    @CheckReturnValue
    SortedMap<String, Item> list(String prefix) throws InterruptedException;

    /** Writes, whatever was there before. */
    void put(String name, byte[] value) throws InterruptedException;

    /** Writes text, whatever was there before. */
    default void put(String name, String text) throws InterruptedException {
        put(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes if the record is still as it was read.
     *
     * @return false if it has been written, deleted or recreated since; nothing is written then
     */
    @CheckReturnValue
    boolean compareAndSet(Item expected, byte[] value) throws InterruptedException;

    /** {@link #compareAndSet(Item, byte[])} with text. */
    @CheckReturnValue
    default boolean compareAndSet(Item expected, String text) throws InterruptedException {
        return compareAndSet(expected, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes if there is no such record; false if there is. */
    @CheckReturnValue
    boolean create(String name, byte[] value) throws InterruptedException;

    /** {@link #create(String, byte[])} with text. */
    @CheckReturnValue
    default boolean create(String name, String text) throws InterruptedException {
        return create(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Deletes; without effect if there is no such record. */
    void delete(String name) throws InterruptedException;

    /** Follows the records whose name starts with this prefix ({@code ""}: all), across sessions, until closed. */
    @CheckReturnValue
    Subscription observe(String prefix, RecordsListener listener);
}
