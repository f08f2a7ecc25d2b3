package io.baton.recipes;

import com.google.common.hash.Hashing;
import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.MultiHold;
import io.baton.MultiLock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * A fixed number of locks for any number of keys. Each key has one of the locks, its <i>stripe</i>; other keys may have
 * the same one. So the store has few lines, however many keys there are.
 *
 * <pre>{@code
 * StripedLocks orders = StripedLocks.named(baton, "orders", 64);
 * try (Hold hold = orders.forKey(orderId).acquire()) { ... }
 * try (MultiHold hold = orders.acquireAll(List.of(from, to))) { ... }
 * }</pre>
 *
 * <p><b>Guarantees.</b> Those of {@link DistributedLock} and {@link MultiLock}, and the same failures. The lock of a
 * stripe is {@code coordinator.lock(name + "/" + stripe)}: it excludes every contender for that name.
 *
 * <p><b>The number of stripes</b> is not in the store. All programs must use the same one: with different numbers, they
 * use different locks for the same key. To change it, stop all of them first, or use another name.
 *
 * <p><b>Several keys.</b> Keys may have the same lock, so a program that holds the lock of one key and waits for that of
 * another may wait for itself. {@link #acquireAll} acquires the locks of several keys.
 *
 * <p>The object keeps no state. Any thread may use it.
 */
public final class StripedLocks {

    private final Coordinator coordinator;
    private final String name;
    private final int stripes;

    private StripedLocks(Coordinator coordinator, String name, int stripes) {
        this.coordinator = coordinator;
        this.name = name;
        this.stripes = stripes;
    }

    /**
     * Returns the striped locks of this name. Does not contact the store.
     *
     * @param name any non-empty string; with the number of a stripe it has at most
     *     {@link io.baton.spi.Names#MAX_BYTES} bytes in UTF-8
     * @param stripes the number of locks, from 1; the same in all programs
     */
    public static StripedLocks named(Coordinator coordinator, String name, int stripes) {
        if (stripes < 1) {
            throw new IllegalArgumentException("striped locks need at least one stripe, not " + stripes);
        }
        coordinator.lock(name);
        var locks = new StripedLocks(coordinator, name, stripes);
        locks.lock(stripes - 1);
        return locks;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the number of stripes. */
    public int stripes() {
        return stripes;
    }

    /**
     * Returns the stripe of a key, from 0. It is the same on all machines and in all versions: the first 8 bytes of
     * MurmurHash3 (x64, 128 bits, seed 0) of the key in UTF-8, as an unsigned little-endian number, modulo the number
     * of stripes.
     */
    @CheckReturnValue
    public int stripe(String key) {
        long hash =
                Hashing.murmur3_128().hashString(key, StandardCharsets.UTF_8).asLong();
        return (int) Long.remainderUnsigned(hash, stripes);
    }

    /** Returns the lock of a key's stripe. Does not contact the store. */
    @CheckReturnValue
    public DistributedLock forKey(String key) {
        return lock(stripe(key));
    }

    /**
     * Waits until the locks of all these keys are held, each stripe's once. Costs one acquisition for each stripe.
     *
     * @throws IllegalArgumentException if there is no key
     * @throws io.baton.LockLostException if one of the locks was lost while the others were acquired
     * @throws InterruptedException if interrupted while waiting; none of them is held
     */
    @CheckReturnValue
    public MultiHold acquireAll(Collection<String> keys) throws InterruptedException {
        return locks(keys).acquire();
    }

    /**
     * As {@link #acquireAll}, but waits no longer than this in all.
     *
     * @param timeout how long to wait; zero or less acquires the locks only if all are free
     * @return empty if the time has passed; none of them is held
     * @throws io.baton.StoreUnavailableException if the store was not reached in this time
     */
    @CheckReturnValue
    public Optional<MultiHold> tryAcquireAll(Collection<String> keys, Duration timeout) throws InterruptedException {
        return locks(keys).tryAcquire(timeout);
    }

    /**
     * {@link #acquireAll} without waiting, as {@link MultiLock#acquireAsync}. With a time limit: {@code
     * acquireAllAsync(keys).orTimeout(1, MINUTES)}, which fails with a {@link java.util.concurrent.TimeoutException} where
     * {@link #tryAcquireAll} is empty; the locks that were granted by then are being released.
     */
    @CheckReturnValue
    public CompletableFuture<MultiHold> acquireAllAsync(Collection<String> keys) {
        return locks(keys).acquireAsync();
    }

    private MultiLock locks(Collection<String> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("no key: " + this + " need at least one, to know what to acquire");
        }
        IntStream chosen = keys.stream().mapToInt(this::stripe).distinct();
        List<String> names = chosen.mapToObj(this::nameOf).toList();
        return coordinator.multiLock(names);
    }

    private DistributedLock lock(int stripe) {
        return coordinator.lock(nameOf(stripe));
    }

    private String nameOf(int stripe) {
        return name + "/" + stripe;
    }

    @Override
    public String toString() {
        return "striped locks '" + name + "'";
    }
}
