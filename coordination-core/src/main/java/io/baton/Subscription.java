package io.baton;

/** The registration of a listener. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

    /** Stops further calls. A call that is running may finish. Idempotent. */
    @Override
    void close();
}
