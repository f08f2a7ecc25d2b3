package io.baton.cli.standby;

import io.baton.Coordinator;
import io.baton.cli.StoreConnection;
import io.baton.election.StandbyAdmin;
import io.baton.spi.Names;
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
    StoreConnection store;

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
        try (Coordinator baton = store.connect("baton standby")) {
            return use.with(StandbyAdmin.named(baton, name));
        }
    }
}
