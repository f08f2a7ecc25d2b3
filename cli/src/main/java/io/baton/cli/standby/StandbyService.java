package io.baton.cli.standby;

import io.baton.Coordinator;
import io.baton.cli.DurationOption;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.StoreOption;
import io.baton.election.StandbyAdmin;
import io.baton.spi.Names;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The service of a command, and common options of the standby commands. */
final class StandbyService {

    /** What a command does with the nodes. */
    @FunctionalInterface
    interface Use {
        int with(StandbyAdmin nodes) throws InterruptedException;
    }

    @Mixin
    StoreOption store;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The election of the nodes.")
    String name;

    /** Connects, runs {@code use} and disconnects; returns the exit status. */
    int connect(Use use) throws InterruptedException {
        Names.check(name);
        try (Coordinator baton =
                Coordinator.connect(store.uri(), ReadOnlyConnection.options("baton standby", timeout))) {
            return use.with(StandbyAdmin.named(baton, name));
        }
    }
}
