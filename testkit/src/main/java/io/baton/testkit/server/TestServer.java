package io.baton.testkit.server;

/** A server for the exclusive use of tests. */
public interface TestServer extends AutoCloseable {

    /**
     * The address of a place on this server: for {@code Coordinator.connect}, or a database's for {@code DriverManager}.
     * The place begins with a slash.
     */
    String uri(String place);

    /** Makes the server serve again, whatever a test has done to it; its data stays. */
    void serve();

    /** Stops the server. */
    @Override
    void close();
}
