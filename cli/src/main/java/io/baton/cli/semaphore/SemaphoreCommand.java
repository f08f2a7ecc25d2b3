package io.baton.cli.semaphore;

import io.baton.cli.Failure;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton semaphore}. */
@Command(
        name = "semaphore",
        sortOptions = false,
        customSynopsis = "baton semaphore resize [--connect URI] [--timeout 10s] NAME EXPECTED SIZE",
        header = "Changes how many permits a semaphore has.",
        description = {
            "",
            "A semaphore limits how many work at the same time: 'baton lock --permits 1 --of 5 NAME' runs a",
            "command that holds one of five permits. The first to ask for permits sets the size, 5 here.",
            ""
        },
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  baton queue --semaphore uploads        its size, who holds permits, and who waits",
            "  baton semaphore resize uploads 5 8     three more",
            "",
            "'baton semaphore COMMAND --help' tells more."
        })
public final class SemaphoreCommand implements Runnable {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    private SemaphoreCommand() {}

    /** The command with its subcommands. */
    public static CommandLine line() {
        return new CommandLine(new SemaphoreCommand()).addSubcommand(new SemaphoreResizeCommand());
    }

    @Override
    public void run() {
        throw Failure.usage(
                "say what to do: resize (see 'baton semaphore --help'); 'baton queue --semaphore NAME' shows one");
    }
}
