package io.baton.config;

/** What has to be done, and to succeed, before a new value comes into use. */
@FunctionalInterface
public interface Preparation<T> {

    /**
     * Prepares for this value, as by opening the connections that it asks for.
     *
     * @throws Exception to reject the revision, as what cannot be prepared must not come into use
     */
    void prepare(T value) throws Exception;
}
