package io.baton.cli;

import io.baton.Coordinator;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The store to connect to, and how long to wait for it, for commands that join no line. */
public final class StoreConnection {

    @Mixin
    StoreOption store;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    /** For the command line parser. */
    public StoreConnection() {}

    /** Connects a client with this name. */
    public Coordinator connect(String client) throws InterruptedException {
        return Coordinator.connect(store.uri(), ReadOnlyConnection.options(client, timeout));
    }
}
