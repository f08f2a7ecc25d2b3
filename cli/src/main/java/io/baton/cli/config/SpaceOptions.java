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

/** Which configuration a command is about, and what all of these commands have in common. */
final class SpaceOptions {

    /** What a command does with it. */
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

    /** Opens the store for the time of this. */
    int open(Use<ConfigStore> use) throws InterruptedException {
        return connect(baton -> use.with(ConfigStore.of(baton, tree)));
    }

    /** Connects for the time of this. */
    int connect(Use<Coordinator> use) throws InterruptedException {
        Names.checkTree(tree);
        try (Coordinator baton =
                Coordinator.connect(store.uri(), ReadOnlyConnection.options("baton config", timeout))) {
            return use.with(baton);
        }
    }

    /** What to return where something is not there. */
    static int found(boolean there) {
        return there ? Exit.OK : Exit.ABSENT;
    }
}
