package io.baton.cli;

import io.baton.spi.inspect.Inspectors;
import io.baton.spi.inspect.StoreInspector;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which store a command looks at, and what all commands that look at a store as a whole have in common. */
public final class InspectorOptions {

    /** What a command does with it. */
    @FunctionalInterface
    public interface Use {

        /** Looks; returns the exit status. */
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

    /** Made by the command line parser. */
    public InspectorOptions() {}

    /** The store's URI. */
    public String uri() {
        return store.uri();
    }

    /** How long to wait for an answer. */
    public Duration timeout() {
        return timeout;
    }

    /** Whether the output is for programs. */
    public boolean json() {
        return json;
    }

    /** Looks at the store for the time of this. */
    public int inspect(Use use) throws InterruptedException {
        try (StoreInspector inspector = Inspectors.at(uri(), timeout)) {
            return use.with(inspector);
        }
    }
}
