package io.baton;

import io.baton.internal.client.Connector;
import io.baton.spi.Guarantees;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A client's connection to a coordination store, and the entry point to locks and records.
 *
 * <p>A coordinator keeps one session in the store and opens a new one when that session is lost. One per process and
 * store is enough. It is safe for use by any number of threads, and must be closed.
 *
 * <pre>{@code
 * try (Coordinator baton = Coordinator.connect("zk://localhost:2181/shop");
 *         Hold hold = baton.lock("orders").acquire()) {
 *     baton.transact(List.of(Guard.held(hold)), List.of(Op.put(key, "sold")));
 * }
 * }</pre>
 */
public interface Coordinator extends AutoCloseable {

    /**
     * Connects with default options.
     *
     * @param uri {@code zk://host:port[,host:port...][/chroot][?tick=2s]},
     *     {@code etcd://host:port[,host:port...][/root]}, {@code zks://...} or {@code etcds://...} for TLS, {@code
     *     jdbc:postgresql://host/database[?...]} or {@code jdbc:mariadb://host/database[?...]}, or {@code mem:name}
     * @throws IllegalArgumentException if the URI is invalid, or its store is not on the class path
     * @throws StoreUnavailableException if the store is not reached within {@link CoordinatorOptions#connectTimeout()};
     *     the message names the addresses
     */
    @CheckReturnValue
    static Coordinator connect(String uri) throws InterruptedException {
        return connect(uri, CoordinatorOptions.defaults());
    }

    /**
     * Connects with these options.
     *
     * @param uri {@code zk://host:port[,host:port...][/chroot][?tick=2s]},
     *     {@code etcd://host:port[,host:port...][/root]}, {@code zks://...} or {@code etcds://...} for TLS, {@code
     *     jdbc:postgresql://host/database[?...]} or {@code jdbc:mariadb://host/database[?...]}, or {@code mem:name}
     * @throws IllegalArgumentException if the URI is invalid, its store is not on the class path, or the store cannot
     *     work with the timings; the message says why
     * @throws StoreUnavailableException if the store is not reached within {@link CoordinatorOptions#connectTimeout()},
     *     unless {@link CoordinatorOptions#inBackground()} is set; the message names the addresses
     */
    @CheckReturnValue
    static Coordinator connect(String uri, CoordinatorOptions options) throws InterruptedException {
        return Connector.connect(uri, options);
    }

    /**
     * Connects to a store that the program has set up, for example with credentials or with an existing client.
     *
     * @throws IllegalArgumentException if the store cannot work with the timings; the message says why
     * @throws StoreUnavailableException if the store is not reached within {@link CoordinatorOptions#connectTimeout()},
     *     unless {@link CoordinatorOptions#inBackground()} is set
     */
    @CheckReturnValue
    static Coordinator connect(Store store, CoordinatorOptions options) throws InterruptedException {
        return Connector.connect(store, options);
    }

    /**
     * Returns the lock of this name. Clients that use the same name contend. Sends no request to the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     */
    DistributedLock lock(String name);

    /**
     * Returns the lock of this name, shared as these options say. It is the same lock as {@link #lock(String)}: the two
     * exclude each other. Sends no request to the store.
     *
     * @param name as for {@link #lock(String)}
     */
    DistributedLock lock(String name, LockOptions options);

    /**
     * Returns the lock at exactly this path of the store, with entries named in this dialect. It excludes, and is
     * excluded by, clients that do not use Baton. Sends no request to the store.
     *
     * @param path from the store's own root, whatever the URI's, as {@code /legacy/locks/orders}. On etcd, each key of
     *     the line begins with this path and a slash. {@code report} is the lock of {@code etcdctl lock report}, and
     *     another one than {@code /report}. On ZooKeeper, the path must begin with a slash.
     * @throws IllegalArgumentException if the store does not support this path or dialect
     */
    DistributedLock lockAt(String path, Dialect dialect);

    /**
     * Returns the read/write lock of this name. It is another lock than {@link #lock} of the same name. Sends no
     * request to the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     */
    DistributedReadWriteLock readWriteLock(String name);

    /**
     * Returns the read/write lock at exactly this path of the store, with entries named in this dialect. It excludes,
     * and is excluded by, clients that do not use Baton. Sends no request to the store.
     *
     * @param path as for {@link #lockAt}
     * @throws IllegalArgumentException if the store does not support this path, or the dialect has no read/write locks
     */
    DistributedReadWriteLock readWriteLockAt(String path, Dialect dialect);

    /**
     * Returns the semaphore of this name. Sends no request to the store.
     *
     * @param name any non-empty string of at most {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @param permits its size, if no contender has set one yet; see {@link DistributedSemaphore}
     * @throws IllegalArgumentException if permits are less than 1
     */
    DistributedSemaphore semaphore(String name, int permits);

    /**
     * Returns the locks of these names as one. Each is {@link #lock} of its name. Sends no request to the store.
     *
     * @throws IllegalArgumentException if there is no name, or one occurs twice
     */
    MultiLock multiLock(Collection<String> names);

    /**
     * Returns the tree of records of this name. Sends no request to the store.
     *
     * @throws IllegalArgumentException if a tree cannot have this name; see {@link RecordKey#tree()}
     */
    Records records(String tree);

    /**
     * Applies all operations atomically, or none if a guard does not hold. The store checks the guards in the same
     * transaction.
     *
     * @param guards conditions to check; may be empty
     * @param ops operations to apply, each on a record of its own; at least one
     * @return true if applied; false if a guard did not hold, or its hold was closed
     * @throws IllegalArgumentException if a hold is of another coordinator, a record occurs twice, or the transaction
     *     exceeds the limits in {@link #guarantees()}
     * @throws StoreUnavailableException if the store could not be reached within
     *     {@link CoordinatorOptions#requestTimeout()}; nothing was applied, and nothing is sent later
     * @throws OutcomeUnknownException if no answer came; either all operations were applied, or none. They are not sent
     *     again
     * @throws InterruptedException if the thread is interrupted while it waits. The write goes on, and may be applied
     */
    @CheckReturnValue
    boolean transact(List<Guard> guards, List<Op> ops) throws InterruptedException;

    /**
     * {@link #transact} without waiting. The future completes on a callback thread.
     *
     * @throws IllegalArgumentException as {@link #transact}, before anything is sent
     */
    @CheckReturnValue
    CompletableFuture<Boolean> transactAsync(List<Guard> guards, List<Op> ops);

    /** Returns the present state of the contact with the store. */
    SessionState state();

    /**
     * Calls the listener with the present state and with each later one, on a callback thread. A slow listener gets
     * the newest state only, but never misses {@link SessionState#LOST}.
     */
    Subscription onState(Consumer<SessionState> listener);

    /**
     * Returns the problems known at present, oldest first; empty if there is none. Among them are:
     *
     * <ul>
     *   <li>there has been no contact for half the {@link #ttl} or more;
     *   <li>there is contact, but no proof that the session is alive;
     *   <li>contact breaks again and again;
     *   <li>the store refuses a request that Baton repeats.
     * </ul>
     *
     * <p>Each is logged at level WARN when it begins and once a minute, by a logger of this interface's name, with at
     * most 20 lines a minute in all. For health endpoints: any thread may call it, and it sends no request.
     */
    List<Trouble> trouble();

    /**
     * Returns how long the store keeps this client's entries after it last heard from it. Until the first contact this
     * is {@link CoordinatorOptions#ttl}; then it is what the servers have granted, which may be more or less.
     */
    Duration ttl();

    /** Returns what the store guarantees. */
    Guarantees guarantees();

    /**
     * Releases every hold, fails every waiting acquisition, ends the session and stops all threads. Waits for the
     * store's confirmation for at most {@link CoordinatorOptions#closeTimeout()}; called from a callback, or in an
     * interrupted thread, it does not wait, and closing goes on in the background. If the store has not confirmed by
     * then, a daemon thread goes on ending the session and its connections, for up to twice the {@link #ttl()}.
     * Idempotent.
     */
    @Override
    void close();
}
