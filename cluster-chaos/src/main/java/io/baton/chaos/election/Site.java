package io.baton.chaos.election;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The servers of an election. */
public interface Site extends AutoCloseable {

    /** What they are, for people. */
    String what();

    /** By how much later than a session's timeout the servers may end it. */
    Duration granularity();

    /** Where they listen for clients. */
    List<InetSocketAddress> addresses();

    /** The address for {@code Coordinator.connect} of servers that are reached at these addresses. */
    String uri(List<InetSocketAddress> addresses);

    /** What clients have asked, by kind, without signs of life and without what this object asks; empty if nobody counts. */
    Map<String, Long> requests();

    /** How many stand in this election. */
    int standing(String election) throws Exception;

    /** Removes the entry that stands first in this election, as an operator would by hand. */
    void removeFirst(String election) throws Exception;

    @Override
    void close();
}
