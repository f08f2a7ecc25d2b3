package io.baton.config;

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

    /** Only if the key is of this revision still; 0: if it is not there. */
    ConfigEdit expect(String key, long revision);

    /** Marks the key secret, from now on: its value is shown by nothing that is not told to reveal it. */
    ConfigEdit secret(String key);

    /** Takes the mark away. */
    ConfigEdit notSecret(String key);

    /** Who writes; default the operating system's user at this host. */
    ConfigEdit author(String name);

    /** Why. */
    ConfigEdit comment(String text);

    /**
     * Writes. An outcome that is unknown at first is found out.
     *
     * @throws ConfigConflictException if an expectation is not met; nothing is written
     * @throws ConfigException if a value is too large, a document is malformed, or there is nothing to write
     */
    ConfigCommit commit() throws InterruptedException;

    /**
     * {@link #commit} without waiting; completes on a callback thread. Who cancels it does not know what becomes of it.
     *
     * @throws ConfigException if a document is malformed
     */
    CompletableFuture<ConfigCommit> commitAsync();

    /**
     * Writes it as a canary: it is in use at first only in those instances of the present {@link ConfigStore#fleet()} that bear all
     * these labels, and of them in this share; {@link ConfigStore#canary()} goes on from there. None that is started later tries it,
     * nor one of them that is started anew.
     *
     * @param percent of the instances that bear the labels, 1 to 100
     * @param lasts after this long it is taken back by those who try it, whatever becomes of its author; a whole number of ms
     * @throws ConfigException as {@link #commit}, or if there is a canary already
     */
    Canary canary(Map<String, String> labels, int percent, Duration lasts) throws InterruptedException;

    /** {@link #canary(Map, int, Duration)} for 15 minutes. */
    default Canary canary(Map<String, String> labels, int percent) throws InterruptedException {
        return canary(labels, percent, Duration.ofMinutes(15));
    }

    /** How long a commit goes on trying against other writers. Default 10 s. */
    ConfigEdit timeout(Duration value);
}
