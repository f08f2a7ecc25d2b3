package io.baton.cli.run;

import io.baton.cli.DurationOption;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of subcommands that run a command. */
public final class RunOptions {

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "How long the store waits for a process that it no longer hears until somebody else may"
                    + " follow; if servers grant only a longer one, that is told. Default: ${DEFAULT-VALUE}.")
    Duration ttl;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationOption.class,
            description = "When contact is lost: how long before somebody else may follow CMD gets SIGTERM, with"
                    + " SIGKILL at the end of it; at most 45 %% of the ttl. Default: ${DEFAULT-VALUE}.")
    Duration grace;

    @Option(
            names = "--status-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "Where to write how it ended, in the words of baton: lines of verdict=, status=, command=,"
                    + " token= and message=. Until then the verdict is 'started'.")
    String statusFile;

    /** For the command line parser. */
    public RunOptions() {}

    /** Whether a status file is to be written. */
    public boolean writesStatus() {
        return !statusFile.isEmpty();
    }

    /** How long a command has to end by itself. */
    public Duration grace() {
        return grace;
    }
}
