package io.baton.chaos.servers;

import java.time.Duration;

/** A cluster of three servers. Every other client process speaks TLS. */
public non-sealed interface ServerCluster extends Servers {

    /** Who leads; waits for one. */
    int leader() throws InterruptedException;

    /**
     * Sets what clients may do with the entries of a lock.
     *
     * @throws RuntimeException if that did not work, or may not have: it can be tried again
     */
    void permit(String lock, Permission permission);

    /**
     * Lets the servers believe that their space, or the clients' part of it, is used up, or that there is some again.
     *
     * @throws RuntimeException if that did not work, or may not have: it can be tried again
     */
    void useUpSpace(boolean up);

    /**
     * Puts other certificates in the place of the servers' and of the clients'. Those of before are worth nothing to who
     * connects from now on.
     *
     * @param lasts for how long that of the clients is valid
     */
    void renewCertificates(Duration lasts);

    /** Kills one ({@code SIGKILL}). */
    void kill(int member) throws InterruptedException;

    /** Starts one that was killed. */
    void restart(int member);

    /** Stops one where it is ({@code SIGSTOP}). */
    void freeze(int member);

    /** Lets it go on ({@code SIGCONT}). */
    void wake(int member) throws InterruptedException;

    /** Lets nothing through between two, either way. */
    void cut(int one, int other);

    /** Lets nothing through from one to the other. */
    void cutOneWay(int from, int to);
}
