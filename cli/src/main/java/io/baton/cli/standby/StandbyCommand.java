package io.baton.cli.standby;

import io.baton.cli.Failure;
import io.baton.cli.Subcommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton standby}. */
@Command(
        name = "standby",
        sortOptions = false,
        customSynopsis = "baton standby status|clear|wake [--connect URI] [--timeout 10s] ... NAME",
        header = "Shows the nodes of an active and standby service; helps them after a failure.",
        description = {
            "",
            "For services made with ActiveStandby: of several nodes one is active, and the others stand by.",
            "While a node may be active the store has its breadcrumb, which outlives its session. Whoever",
            "is elected and finds one has its author fenced first; nobody is promoted until that succeeds.",
            ""
        },
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  baton standby status books           who is active, who stands by, and what goes wrong",
            "  baton standby clear books            node-1 is dead for certain, and no fencer reaches it",
            "  baton standby wake books             what made them fail is repaired: try again at once",
            "",
            "'baton standby COMMAND --help' tells more. 'baton elect --hand-over-to' makes another node active."
        })
public final class StandbyCommand implements Runnable {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    private StandbyCommand() {}

    /** The command with the subcommands that the arguments behind it call for. */
    public static CommandLine line(List<String> args) {
        return new Subcommands()
                .with("status", StandbyStatusCommand::new)
                .with("clear", () -> new StandbyClearCommand(System.in))
                .with("wake", StandbyWakeCommand::new)
                .addTo(new CommandLine(new StandbyCommand()), args);
    }

    @Override
    public void run() {
        throw Failure.usage("say what to do: status, clear or wake (see 'baton standby --help')");
    }
}
