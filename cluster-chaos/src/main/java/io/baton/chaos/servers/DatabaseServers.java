package io.baton.chaos.servers;

import io.baton.testkit.proxy.Direction;
import java.time.Duration;
import java.util.function.LongConsumer;

/** A database: a server that writes, the primary, and a standby that follows it asynchronously. */
public non-sealed interface DatabaseServers extends Servers {

    /** The number of the primary. */
    int primary();

    /** Kills all processes of the primary ({@code SIGKILL}). */
    void kill();

    /** Starts the primary again. */
    void restart();

    /** Kills one process of the primary ({@code SIGKILL}), by which a client is served. */
    void killOneProcess();

    /** Stops all processes of the primary where they are ({@code SIGSTOP}). */
    void freeze();

    /** Lets the primary go on ({@code SIGCONT}). */
    void wake();

    /** Resets every connection of a client. */
    void cut();

    /** Lets nothing through between clients and servers, these ways; connections stay. {@link #heal} ends it. */
    void hold(Direction... ways);

    /**
     * Kills the primary ({@code SIGKILL}) and promotes the standby, which may not have what was written last.
     *
     * @param lag for how long before that the standby receives nothing
     */
    Promotion promote(Duration lag) throws InterruptedException;

    /**
     * Removes the first entry in the line of a lock, if there is one. Not while a standby is promoted: a removal that this
     * loses brings the entry back.
     *
     * @param before told the entry's token before it is removed
     * @throws RuntimeException if that did not work, or may not have: it can be tried again
     */
    void evictFirst(String lock, LongConsumer before) throws InterruptedException;

    /** Builds another standby in the place of the former primary. */
    void rebuild();
}
