package io.baton.config;

import io.baton.CheckReturnValue;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A change in preparation. {@link #commit} writes all of it or nothing.
 *
 * <p>Not for use by several threads.
 */
public interface ConfigEdit {

    /** Writes a value. */
    ConfigEdit put(String key, String text);

    /** Removes a key. */
    ConfigEdit delete(String key);

    /** Requires that the key still has this revision; 0 requires that it is absent. */
    ConfigEdit expect(String key, long revision);

    /** Marks the key secret from now on. Its value is then shown only on an explicit request to reveal it. */
    ConfigEdit secret(String key);

    /** Removes the secret mark from the key. */
    ConfigEdit notSecret(String key);

    /** Sets the author. Default the operating system's user at this host. */
    ConfigEdit author(String name);

    /** Sets the comment of the change. */
    ConfigEdit comment(String text);

    /**
     * Allows the change to take several transactions if it does not fit into one. Otherwise such a change is refused.
     * Keys are written in order, in parts. Each part is a transaction with its own number and place in the history, and
     * all bear one id ({@link ConfigEntry#part}). A change that fits into one transaction is written as any other.
     *
     * <p><b>Not guaranteed</b> then: all or nothing. Followers may see and apply the state between two parts. Others
     * may write between parts, which makes a {@link ConfigStore#rollback} fail there. If writing stops before the last
     * part, the parts written so far stay, and {@link #commit} says so. The same change, made again, writes the rest.
     * Without a write in between, its parts continue the id and numbers of the earlier ones. Only the last part removes
     * changes that are no longer kept.
     */
    ConfigEdit inParts();

    /**
     * Returns what {@link #commit} would write now, by the same rules; writes nothing.
     *
     * @throws ConfigConflictException if an expectation is not met
     * @throws ConfigException as {@link #commit}; not if there is nothing to write
     */
    @CheckReturnValue
    ConfigPreview preview() throws InterruptedException;

    /**
     * Writes the change. If an outcome is unknown at first, this resolves it.
     *
     * @throws ConfigConflictException if an expectation is not met; nothing is written
     * @return the written change; of a change in parts the last one
     * @throws ConfigException if the change does not fit into one transaction, a document is malformed, or there is
     *     nothing to write
     */
    ConfigCommit commit() throws InterruptedException;

    /**
     * {@link #commit} without waiting; completes on a callback thread. After cancellation the outcome is unknown.
     *
     * @throws ConfigException if a document is malformed
     */
    @CheckReturnValue
    CompletableFuture<ConfigCommit> commitAsync();

    /**
     * Writes the change as a canary, which only some instances use at first. They are about this percentage of the
     * instances in {@link ConfigStore#fleet()} that bear all these labels. Instances that start or restart later do not
     * try it. See {@link ConfigStore#canary()} for what follows.
     *
     * <p>A canary can mark a key secret, which holds at once and also after its end. It cannot take a mark away.
     *
     * @param percent of the instances that bear the labels, 1 to 100
     * @param lasts the time after which its instances take it back, with or without its author; 1 ms to 30 days
     * @throws ConfigConflictException if an expectation is not met, or there is a canary already
     * @throws ConfigException as {@link #commit}, or if it would take a secret mark away
     */
    Canary canary(Map<String, String> labels, int percent, Duration lasts) throws InterruptedException;

    /** {@link #canary(Map, int, Duration)} for 15 minutes. */
    default Canary canary(Map<String, String> labels, int percent) throws InterruptedException {
        return canary(labels, percent, Duration.ofMinutes(15));
    }

    /**
     * {@link #canary(Map, int, Duration)} without waiting; completes on a callback thread.
     *
     * @throws ConfigException if a document is malformed, labels, percent or time are invalid, or it would take a
     *     secret mark away
     */
    @CheckReturnValue
    CompletableFuture<Canary> canaryAsync(Map<String, String> labels, int percent, Duration lasts);

    /** Sets how long a commit, or each of its parts, retries against other writers. Default 10 s. */
    ConfigEdit timeout(Duration value);
}
