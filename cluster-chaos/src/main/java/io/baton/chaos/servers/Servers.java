package io.baton.chaos.servers;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Real servers, each in processes of its own. */
public sealed interface Servers extends AutoCloseable permits DatabaseServers, ServerCluster {

    /** What they are, with their number, and their version where that is known. */
    String what();

    /** Their numbers, from 1. */
    List<Integer> members();

    /** Where one listens for clients. */
    InetSocketAddress address(int member);

    /** The address for {@code Coordinator.connect} of servers that are reached at these addresses. */
    String uri(List<InetSocketAddress> addresses);

    /** How the process in this place gets in. */
    Entrance entrance(int place);

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
