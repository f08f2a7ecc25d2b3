package io.baton.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * What a run measures its rows on.
 *
 * @param field the store, and the other side
 * @param servers how many
 * @param forced whether they force their logs to disk
 * @param processes whether each client has a process of its own
 */
record Setup(Field field, int servers, boolean forced, boolean processes) {

    /** Baton's side, as raw data names it. */
    static final String BATON = "baton";

    /** As files are called, such as {@code zk-3-fsync-processes}. */
    String name() {
        return field.scheme()
                + (servers > 1 ? "-" + servers : "")
                + (forced ? "-fsync" : "")
                + (processes ? "-processes" : "");
    }

    /** The other side, as raw data names it. */
    String peer() {
        return field.peer().toLowerCase(Locale.ROOT);
    }

    Server start() throws IOException {
        return Server.start(field.scheme(), servers, forced);
    }

    /**
     * The clients of one side, connected.
     *
     * @param warmUp for how long clients in processes of their own take the lock, each alone
     */
    Clients clients(String side, String addresses, Row row, Server server, Duration warmUp) throws Exception {
        return processes
                ? ClientProcesses.start(field, side, addresses, row, server, warmUp)
                : new ClientThreads(field.side(side, addresses, row), row, server);
    }
}
