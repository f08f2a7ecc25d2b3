package io.baton;

import io.baton.internal.client.Connector;
import io.baton.spi.Guarantees;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A client's connection to a coordination store, and the one entry point: it hands out locks and records.
 *
 * <p>One per process and store is enough; it is safe for use by any number of threads. It keeps one session in the
 * store, opens a new one when that is lost, and must be closed.
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
     * @param uri {@code zk://host:port[,host:port...][/chroot][?tick=2s]}, {@code etcd://host:port[,host:port...][/root]},
     *     {@code zks://...} or {@code etcds://...} for TLS, or {@code mem:name}
     * @throws IllegalArgumentException if the URI cannot be understood, or its store is not on the class path
     * @throws StoreUnavailableException if no contact came about in time; the message names the addresses
     */
    @CheckReturnValue
    static Coordinator connect(String uri) throws InterruptedException {
        return connect(uri, CoordinatorOptions.defaults());
    }

    /**
     * Connects.
     *
     * @param uri {@code zk://host:port[,host:port...][/chroot][?tick=2s]}, {@code etcd://host:port[,host:port...][/root]},
     *     {@code zks://...} or {@code etcds://...} for TLS, or {@code mem:name}
     * @throws IllegalArgumentException if the URI cannot be understood, its store is not on the class path, or the
     *     timings cannot work; the message says why
     * @throws StoreUnavailableException if no contact came about in time, unless this is to happen in the background; the
     *     message names the addresses
     */
    @CheckReturnValue
    static Coordinator connect(String uri, CoordinatorOptions options) throws InterruptedException {
        return Connector.connect(uri, options);
    }

    /**
     * Connects to a store that was set up in the program, as with credentials, or on a client that is there already.
     *
     * @throws IllegalArgumentException if the timings cannot work; the message says why
     * @throws StoreUnavailableException if no contact came about in time
     */
    @CheckReturnValue
    static Coordinator connect(Store store, CoordinatorOptions options) throws InterruptedException {
        return Connector.connect(store, options);
    }

    /** The lock of this name. Any non-empty string; whoever uses the same name contends. Asks nothing of the store. */
    DistributedLock lock(String name);

    /**
     * The lock at exactly this path of the store, whose entries bear the names of this dialect: to exclude, and be
     * excluded by, clients that do not use Baton. Asks nothing of the store.
     *
     * @param path from the store's own root, whatever the URI's, as {@code /legacy/locks/orders}. On etcd it is what all
     *     keys of the line begin with, but for a slash that follows: {@code report}, without a slash in front, is the lock
     *     of {@code etcdctl lock report}, and another one than {@code /report}. ZooKeeper refuses a path without one.
     * @throws IllegalArgumentException if this store cannot have such a path or dialect
     */
    DistributedLock lockAt(String path, Dialect dialect);

    /** The tree of records of this name. Asks nothing of the store. */
    Records records(String tree);

    /**
     * Applies all operations, or none: none if a guard does not hold at that moment, by the store's own word.
     *
     * @param guards what must hold; may be empty. A hold that was closed, or is of another coordinator, is refused.
     * @param ops what to do, each on a record of its own; at least one
     * @return true if applied, false if a guard refused
     * @throws StoreUnavailableException nothing was applied
     * @throws OutcomeUnknownException the operations may have been applied, all or none
     */
    @CheckReturnValue
    boolean transact(List<Guard> guards, List<Op> ops) throws InterruptedException;

    /** {@link #transact} without waiting; completes on a callback thread. */
    @CheckReturnValue
    CompletableFuture<Boolean> transactAsync(List<Guard> guards, List<Op> ops);

    /** Present contact with the store. */
    SessionState state();

    /** Told of the present state and of every later one; a slow listener is told the newest only. */
    Subscription onState(Consumer<SessionState> listener);

    /**
     * What goes wrong at present, oldest first, empty if nothing is known to: no contact for half the {@link #ttl} or
     * more, contact that proves nothing or breaks again and again, requests that the store refuses and that are repeated.
     * All of it is logged, too, when it begins and once a minute, at level WARN by a logger of this interface's name.
     * For health endpoints; any thread, and without asking the store.
     */
    List<Trouble> trouble();

    /**
     * How long the store keeps this client's entries once it no longer hears it: what was asked for with {@link
     * CoordinatorOptions#ttl}, or what the servers have granted instead, which may be more or less.
     */
    Duration ttl();

    /** What the store promises. */
    Guarantees guarantees();

    /**
     * Releases every hold, fails every waiting acquisition, ends the session and stops all threads. Waits for the
     * store's confirmation for at most {@link CoordinatorOptions#closeTimeout()}. Idempotent.
     */
    @Override
    void close();
}
