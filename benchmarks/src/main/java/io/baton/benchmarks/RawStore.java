package io.baton.benchmarks;

/** A store's own client, in two connections: one writes a node or key, the other watches it. */
interface RawStore extends AutoCloseable {

    /** Makes the node or key; returns once that is confirmed. */
    void create() throws Exception;

    /** Removes it; returns once that is confirmed. */
    void delete() throws Exception;

    /** Calls {@code gone} once it is removed, on any thread; returns once the watch is set. */
    void watch(Runnable gone) throws Exception;

    @Override
    void close();
}
