package io.baton.chaos.servers;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** A cluster of three real servers, each in a process of its own. */
public interface Servers extends AutoCloseable {

    /** What they are, with their version where that is known. */
    String what();

    /** Their numbers. */
    List<Integer> members();

    /** Who leads; waits for one. */
    int leader() throws InterruptedException;

    /** Where one listens for clients. */
    InetSocketAddress address(int member);

    /** The address for {@code Coordinator.connect} of a cluster that is reached at these addresses. */
    String uri(List<InetSocketAddress> addresses);

    /** How the process in this place gets in; every other one speaks TLS. */
    Entrance entrance(int place);

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

    /** Lets everything through, and waits until all that run serve. */
    void heal() throws InterruptedException;

    /** Whether {@link #moveWallClock} does something. */
    boolean hasWallClocks();

    /** Sets one's wall clock off by so much; its other clock goes on. */
    void moveWallClock(int member, Duration off);

    /** Ends them all, and deletes their data. */
    @Override
    void close();
}
