package io.baton.benchmarks;

import java.net.InetSocketAddress;

/** What both sides talk to: in a process of its own, and only there for them. */
public interface Server extends AutoCloseable {

    /** Where it listens. */
    InetSocketAddress address();

    /** What it is, for people. */
    String what();

    /** How many requests it has had, heartbeats left out. */
    long requests() throws Exception;

    /** The number of its process. */
    long pid();

    @Override
    void close();
}
