package io.baton.testkit.server;

/** A server that tests have to themselves. */
public interface TestServer extends AutoCloseable {

    /** The address of this place of it for {@code Coordinator.connect}; the place begins with a slash. */
    String uri(String place);

    /** Has it serve, whatever a test has done to it; its data stay. */
    void serve();

    /** Ends it. */
    @Override
    void close();
}
