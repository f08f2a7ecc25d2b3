package io.baton.config;

/** Prepares a new value before it comes into use, and may reject it. */
@FunctionalInterface
public interface Preparation<T> {

    /**
     * Prepares this value, for example by opening the connections that it needs.
     *
     * @throws Exception to reject the revision, because the value cannot be prepared
     */
    void prepare(T value) throws Exception;
}
