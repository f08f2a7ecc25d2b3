package io.baton.cli.config;

import io.baton.Coordinator;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.StoreOption;
import io.baton.config.ConfigStore;
import io.baton.spi.Names;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The space of a command, and common options of the configuration commands. */
final class SpaceOptions {

    /** What a command does with the store. */
    @FunctionalInterface
    interface Use<T> {
        int with(T opened) throws InterruptedException;
    }

    @Mixin
    StoreOption store;

    @Option(
            names = "--space",
            paramLabel = "TREE",
            defaultValue = "config",
            description = "Which tree of records holds the values. Default: ${DEFAULT-VALUE}.")
    String tree;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /** Opens the store, runs {@code use} and closes it; returns the exit status. */
    int open(Use<ConfigStore> use) throws InterruptedException {
        return connect(baton -> use.with(ConfigStore.of(baton, tree)));
    }

    /** Connects, runs {@code use} and disconnects; returns the exit status. */
    int connect(Use<Coordinator> use) throws InterruptedException {
        Names.checkTree(tree);
        try (Coordinator baton =
                Coordinator.connect(store.uri(), ReadOnlyConnection.options("baton config", timeout))) {
            return use.with(baton);
        }
    }

    /** The exit status for something that is present or absent. */
    static int found(boolean there) {
        return there ? Exit.OK : Exit.ABSENT;
    }
}
