package io.baton.cli.config;

import io.baton.cli.Failure;
import io.baton.cli.Subcommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton config}. */
@Command(
        name = "config",
        sortOptions = false,
        customSynopsis = "baton config COMMAND [--connect URI] [--space TREE] [--timeout 10s] [--json] ...",
        header = "Reads, writes and follows configuration that services follow live.",
        description = {
            "",
            "A key is any text, as timeout or payments.yaml; its value is text, stored as it is. What is",
            "written at once is one change with a number, kept in a history. Services that use Baton's",
            "LiveConfig follow each change, and apply it only if it is good for them.",
            ""
        },
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  baton config set timeout 5s                       prints  timeout: 3s -> 5s",
            "  baton config set payments.yaml @payments.yaml     a whole document",
            "  baton config set timeout=5s retries=3 --comment 'slow bank'     both at once, or none",
            "  baton config watch                                every change as it is made",
            "  baton config status                               who runs which change, or rejects it",
            "  baton config history                              who changed what, and when",
            "  baton config rollback 16                          as it was after change 16",
            "  baton config set timeout=5s --canary 20%% --promote-after 30s",
            "",
            "'baton config COMMAND --help' tells more. Values marked secret are shown with --reveal only."
        })
public final class ConfigCommand implements Runnable {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    private ConfigCommand() {}

    /** The command with the subcommands that the arguments behind it call for. */
    public static CommandLine line(List<String> args) {
        return new Subcommands()
                .with("get", GetCommand::new)
                // Values may begin with a minus.
                .with(
                        "set",
                        () -> new CommandLine(new SetCommand(System.in)).setUnmatchedOptionsArePositionalParams(true))
                .with("delete", DeleteCommand::new)
                .with("list", ListCommand::new)
                .with("watch", WatchCommand::new)
                .with("history", HistoryCommand::new)
                .with("diff", DiffCommand::new)
                .with("rollback", RollbackCommand::new)
                .with("retain", RetainCommand::new)
                .with("status", StatusCommand::new)
                .with("canary", ConfigCommand::canary)
                .with("export", ExportCommand::new)
                .with("import", () -> new ImportCommand(System.in))
                .addTo(new CommandLine(new ConfigCommand()), args);
    }

    private static CommandLine canary() {
        return new CommandLine(new CanaryCommand())
                .addSubcommand(new CanaryStatusCommand())
                .addSubcommand(new CanaryPromoteCommand())
                .addSubcommand(new CanaryAbortCommand());
    }

    @Override
    public void run() {
        throw Failure.usage(
                "say what to do: get, set, delete, list, watch, history, diff, rollback, retain, status, canary,"
                        + " export or import (see 'baton config --help')");
    }
}
