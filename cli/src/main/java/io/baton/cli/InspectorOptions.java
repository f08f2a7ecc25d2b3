package io.baton.cli;

import io.baton.spi.inspect.Inspectors;
import io.baton.spi.inspect.StoreInspector;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Common options of commands that inspect a store as a whole. */
public final class InspectorOptions {

    /** What a command does with the inspector. */
    @FunctionalInterface
    public interface Use {

        /** Inspects the store; returns the exit status. */
        int with(StoreInspector inspector) throws InterruptedException;
    }

    @Mixin
    StoreOption store;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for a server's answer. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    /** For the command line parser. */
    public InspectorOptions() {}

    /** The store's URI. */
    public String uri() {
        return store.uri();
    }

    /** How long to wait for an answer. */
    public Duration timeout() {
        return timeout;
    }

    /** Whether the output is JSON. */
    public boolean json() {
        return json;
    }

    /** Opens an inspector, runs {@code use} and closes it; returns the exit status. */
    public int inspect(Use use) throws InterruptedException {
        try (StoreInspector inspector = Inspectors.at(uri(), timeout)) {
            return use.with(inspector);
        }
    }
}
