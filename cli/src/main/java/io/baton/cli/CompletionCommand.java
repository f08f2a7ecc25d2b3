package io.baton.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton completion}. */
@Command(
        name = "completion",
        sortOptions = false,
        header = "Prints a script that completes baton's command lines.",
        description = {"", "Prints what a shell needs to complete commands and options when TAB is pressed.", ""},
        footer = {
            "",
            "Examples:",
            "  source <(baton completion bash)                                        in ~/.bashrc",
            "  baton completion bash >/etc/bash_completion.d/baton                    for everybody",
            "  source <(baton completion zsh)                                         in ~/.zshrc"
        })
final class CompletionCommand implements Callable<Integer> {

    /** The supported shells. */
    enum Shell {
        bash,
        zsh
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    Shell shell;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() {
        CommandLine baton = spec.root().commandLine();
        PrintWriter out = baton.getOut();
        if (shell == Shell.zsh) {
            // The script is for bash; zsh can run it after these lines.
            out.println("autoload -U +X compinit && compinit");
            out.println("autoload -U +X bashcompinit && bashcompinit");
        }
        out.print(AutoComplete.bash("baton", baton));
        out.flush();
        return Exit.OK;
    }
}
