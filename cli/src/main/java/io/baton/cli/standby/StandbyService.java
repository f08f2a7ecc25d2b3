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

/** Whose nodes a command is about, and what all of these commands have in common. */
final class StandbyService {

    /** What a command does with them. */
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

    /** Connects for the time of this. */
    int connect(Use use) throws InterruptedException {
        Names.check(name);
        try (Coordinator baton =
                Coordinator.connect(store.uri(), ReadOnlyConnection.options("baton standby", timeout))) {
            return use.with(StandbyAdmin.named(baton, name));
        }
    }
}
