package io.baton.cli.config;

import io.baton.cli.Failure;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code baton config canary}. */
@Command(
        name = "canary",
        sortOptions = false,
        customSynopsis = "baton config canary status|promote|abort [--connect URI] [--space TREE] [--json]",
        header = "A change that some instances try first.",
        description = {
            "",
            "'baton config set --canary 20%% KEY=VALUE...' begins one; there is one at a time. It is held",
            "when an instance rejects it.",
            ""
        },
        commandListHeading = "%nCommands:%n")
final class CanaryCommand implements Runnable {

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Override
    public void run() {
        throw Failure.usage("say what to do: status, promote or abort (see 'baton config canary --help')");
    }
}
