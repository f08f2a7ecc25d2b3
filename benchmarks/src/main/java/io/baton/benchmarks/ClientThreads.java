package io.baton.benchmarks;

import java.time.Duration;

/** Clients in this process. */
record ClientThreads(Side side, Row row, Server server) implements Clients {

    @Override
    public Outcome round(Duration time) throws Exception {
        return row.work().round(side, server, row.kind(), time);
    }

    @Override
    public void close() {
        side.close();
    }
}
