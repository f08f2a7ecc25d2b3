package io.baton.config;

import io.baton.CheckReturnValue;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A change in the making: nothing is written before {@link #commit}, and then all of it or nothing.
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

    /** Marks the key secret, from now on: its value is shown by nothing that is not told to reveal it. */
    ConfigEdit secret(String key);

    /** Removes the secret mark from the key. */
    ConfigEdit notSecret(String key);

    /** Sets the author. Default the operating system's user at this host. */
    ConfigEdit author(String name);

    /** Sets the comment of the change. */
    ConfigEdit comment(String text);

    /**
     * Allows the change to take several transactions if it does not fit into one; without this it is refused then. Keys
     * are written in their order, in parts of which each is a transaction with a number and a place in the history of
     * its own; all of them bear one id ({@link ConfigEntry#part}). A change that fits into one transaction is written
     * as any other.
     *
     * <p><b>Not guaranteed</b> then: all or nothing. Followers may see, and apply, the state between two parts; others
     * may write between them, but for a {@link ConfigStore#rollback}, which is refused from there on. If writing ends
     * before the last part, what was written stays, and {@link #commit} says so. The same change, made again, writes
     * the rest. Without a write in between, its parts go on with the id and the numbers of the former ones.
     * Changes that are no longer kept are taken away by the last part only.
     */
    ConfigEdit inParts();

    /**
     * What {@link #commit} would write now, by the same rules; writes nothing.
     *
     * @throws ConfigConflictException if an expectation is not met
     * @throws ConfigException as {@link #commit}; not if there is nothing to write
     */
    @CheckReturnValue
    ConfigPreview preview() throws InterruptedException;

    /**
     * Writes the change. An outcome that is unknown at first is resolved.
     *
     * @throws ConfigConflictException if an expectation is not met; nothing is written
     * @return what was written; of a change in parts its last one
     * @throws ConfigException if the change does not fit into one transaction, a document is malformed, or there is
     *     nothing to write
     */
    ConfigCommit commit() throws InterruptedException;

    /**
     * {@link #commit} without waiting; completes on a callback thread. If it is cancelled, the outcome is unknown.
     *
     * @throws ConfigException if a document is malformed
     */
    @CheckReturnValue
    CompletableFuture<ConfigCommit> commitAsync();

    /**
     * Writes it as a canary: it is in use at first only in those instances of the present {@link ConfigStore#fleet()}
     * that bear all these labels, and of them in this share; {@link ConfigStore#canary()} goes on from there. None that
     * is started later tries it, nor one of them that is started anew.
     *
     * @param percent of the instances that bear the labels, 1 to 100
     * @param lasts after this long it is taken back by those who try it, whatever becomes of its author; 1 ms to 30
     *     days
     * @throws ConfigException as {@link #commit}, or if there is a canary already
     */
    Canary canary(Map<String, String> labels, int percent, Duration lasts) throws InterruptedException;

    /** {@link #canary(Map, int, Duration)} for 15 minutes. */
    default Canary canary(Map<String, String> labels, int percent) throws InterruptedException {
        return canary(labels, percent, Duration.ofMinutes(15));
    }

    /**
     * {@link #canary(Map, int, Duration)} without waiting; completes on a callback thread.
     *
     * @throws ConfigException if a document is malformed, or labels, percent or time are not as there
     */
    @CheckReturnValue
    CompletableFuture<Canary> canaryAsync(Map<String, String> labels, int percent, Duration lasts);

    /** How long a commit, or each part of it, goes on trying against other writers. Default 10 s. */
    ConfigEdit timeout(Duration value);
}
