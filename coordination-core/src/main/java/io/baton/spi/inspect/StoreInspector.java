package io.baton.spi.inspect;

import io.baton.spi.Entry;
import io.baton.spi.Line;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Inspects a store for its operators: the data below its root, the state of its servers, and misconfiguration.
 *
 * <p>{@link #names}, {@link #lines} and {@link #trees} only read. {@link #clock} and {@link #examine} also try writes,
 * which leave nothing behind.
 *
 * <p><b>Failures.</b> {@link io.baton.StoreUnavailableException} if no server can be used, with the reason for each;
 * another {@link io.baton.CoordinationException} if the store refuses.
 *
 * <p><b>Threads.</b> One at a time. Each call blocks, for a bounded time.
 */
public interface StoreInspector extends AutoCloseable {

    /**
     * Names directly below a path, as path segments.
     *
     * @param names the names, in order
     * @param more whether further names follow
     */
    record NamePage(List<String> names, boolean more) {}

    /**
     * A line of contenders or members.
     *
     * @param path below the store's root
     * @param length the number of entries
     * @param first the first entry; empty if there is none, or if finding it takes more than a few reads
     */
    record LineSummary(String path, long length, Optional<Entry> first) {}

    /**
     * A tree of records.
     *
     * @param tree its name
     * @param records the number of records, without names that begin with {@code $}, which are reserved for recipes
     * @param last the last of these names; empty if there are none
     */
    record TreeSummary(String tree, long records, Optional<String> last) {}

    /**
     * Returns names below a path of the store's root, in order.
     *
     * @param path the path, such as {@code locks}; empty for the root
     * @param after return only names after this one; empty for all
     * @param most the maximum number of names
     */
    NamePage names(String path, String after, int most) throws InterruptedException;

    /**
     * Returns a summary of each line, in this order, as of some moment of the call. Takes a few reads for each.
     *
     * @param kind the kind of all these lines, by which their entries are named
     * @param paths their paths below the store's root
     */
    List<LineSummary> lines(Line.Kind kind, List<String> paths) throws InterruptedException;

    /** Returns a summary of each tree, in this order, as of some moment of the call. Takes a few reads for each. */
    List<TreeSummary> trees(List<String> names) throws InterruptedException;

    /** Returns the state of each server in the store's address, in order. */
    List<ServerState> servers() throws InterruptedException;

    /** Returns the reading of the store's wall clock; empty if the store does not show it. */
    Optional<ClockReading> clock() throws InterruptedException;

    /** Returns the timings of holds for a session whose ttl the store has granted. */
    SessionTimings timings(Duration granted);

    /**
     * Examines the store, its servers and the permissions of this client, and returns what is right and what is wrong.
     *
     * @param ttl the ttl that clients request
     * @param adminPort the port at which servers report their configuration over HTTP, if not the usual one
     */
    List<Finding> examine(Duration ttl, OptionalInt adminPort) throws InterruptedException;

    /** Ends all connections. Idempotent. */
    @Override
    void close();
}
