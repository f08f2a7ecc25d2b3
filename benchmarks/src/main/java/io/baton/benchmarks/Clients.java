package io.baton.benchmarks;

import java.time.Duration;

/** All clients of one side. */
interface Clients extends AutoCloseable {

    /** Has each do its part of the row's work for so long. */
    Outcome round(Duration time) throws Exception;

    @Override
    void close();
}
