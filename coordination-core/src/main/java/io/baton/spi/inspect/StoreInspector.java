package io.baton.spi.inspect;

import io.baton.spi.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Looks at a store as its operators do: what is kept below its root, how its servers do, and what is misconfigured.
 *
 * <p>{@link #names}, {@link #lines} and {@link #trees} only read. {@link #clock} and {@link #examine} also try writes, which
 * leave nothing behind.
 *
 * <p><b>Failures.</b> {@link io.baton.StoreUnavailableException} if no server can be used, with the reason for each; another
 * {@link io.baton.CoordinationException} if the store refuses.
 *
 * <p><b>Threads.</b> One at a time. Each call waits, for a bounded time.
 */
public interface StoreInspector extends AutoCloseable {

    /**
     * Names of what lies directly below a path, as path segments.
     *
     * @param names in their order
     * @param more whether there are others behind them
     */
    record NamePage(List<String> names, boolean more) {}

    /**
     * A line of contenders, or of members.
     *
     * @param path below the store's root
     * @param length how many stand in it
     * @param first the entry that stands first; empty if there is none, or if that cannot be told with few reads
     */
    record LineSummary(String path, long length, Optional<Entry> first) {}

    /**
     * A tree of records.
     *
     * @param tree its name
     * @param records how many it has, without those that begin with {@code $}, which recipes keep for themselves
     * @param last the last of them by name; empty if there are none
     */
    record TreeSummary(String tree, long records, Optional<String> last) {}

    /**
     * So many names below a path of the store's root, in their order.
     *
     * @param path as {@code locks}; empty for the root
     * @param after only names behind this one; empty for all
     * @param most no more than so many
     */
    NamePage names(String path, String after, int most) throws InterruptedException;

    /** These lines, in this order, each as it stands at some moment of the call; some reads for each. */
    List<LineSummary> lines(List<String> paths) throws InterruptedException;

    /** These trees, in this order, each as it is at some moment of the call; some reads for each. */
    List<TreeSummary> trees(List<String> names) throws InterruptedException;

    /** Each server that the address names, in its order; one that gives no contact says why. */
    List<ServerState> servers() throws InterruptedException;

    /** What the wall clock of the store shows; empty if the store does not say. */
    Optional<ClockReading> clock() throws InterruptedException;

    /** What follows for holds from the time for which the store keeps a silent session. */
    SessionTimings timings(Duration granted);

    /**
     * What is right and wrong with the store, its servers and the permissions of this client.
     *
     * @param ttl what clients ask for
     * @param adminPort where servers tell of their configuration over HTTP, if that is not the usual port
     */
    List<Finding> examine(Duration ttl, OptionalInt adminPort) throws InterruptedException;

    /** Ends all connections. Idempotent. */
    @Override
    void close();
}
