package io.baton;

import java.util.Optional;

/**
 * One tree of versioned values in the store. For small shared facts: a value has a few kilobytes at best and
 * {@link io.baton.spi.Guarantees#maxBytes()} at most.
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
    Optional<Item> get(String name) throws InterruptedException;

    /** Writes, whatever was there before. */
    void put(String name, byte[] value) throws InterruptedException;

    /**
     * Writes if the record is still as it was read.
     *
     * @return false if it has been written, deleted or recreated since; nothing is written then
     */
    boolean compareAndSet(Item expected, byte[] value) throws InterruptedException;

    /** Writes if there is no such record; false if there is. */
    boolean create(String name, byte[] value) throws InterruptedException;

    /** Deletes; without effect if there is no such record. */
    void delete(String name) throws InterruptedException;

    /** Follows the records whose name starts with this prefix ({@code ""}: all), across sessions, until closed. */
    Subscription observe(String prefix, RecordsListener listener);
}
