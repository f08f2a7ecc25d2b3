package io.baton.benchmarks.config;

import java.util.concurrent.CompletableFuture;

/** Writes with the store's own client: the same for everybody who follows. */
interface Writer extends AutoCloseable {

    /** Writes a key of this space. */
    CompletableFuture<?> put(String space, String key, String text);

    @Override
    void close();
}
