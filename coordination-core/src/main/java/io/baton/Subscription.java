package io.baton;

/** A registered callback. */
@FunctionalInterface
public interface Subscription extends AutoCloseable {

    /** Stops further calls; one that is running may finish. Idempotent. */
    @Override
    void close();
}
