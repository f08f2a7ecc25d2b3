package io.baton.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in a sentence; with what was probably meant. */
final class Mistake {

    /** With these a command that runs others runs none. */
    private static final List<String> RUN_NOTHING = List.of("--hand-over-to", "--pause", "--resume");

    private Mistake() {}

    /** {@code commandGiven} says whether a command stands behind {@code --}. */
    static String of(ParameterException wrong, boolean commandGiven) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            return commandGiven || !runsCommand(wrong) || unmatched.isUnknownOption()
                    ? unmatched(unmatched)
                    : dashesMissing(unmatched);
        }
        return Failure.text(wrong).replaceFirst("^Error: ", "");
    }

    private static boolean runsCommand(ParameterException wrong) {
        CommandLine line = wrong.getCommandLine();
        return Arguments.RUNNERS.contains(line.getCommandName())
                && RUN_NOTHING.stream().noneMatch(line.getParseResult()::hasMatchedOption);
    }

    private static String dashesMissing(UnmatchedArgumentException wrong) {
        return "'--' is missing in front of the command '"
                + wrong.getUnmatched().get(0) + "': "
                + wrong.getCommandLine().getCommandSpec().qualifiedName() + " NAME -- CMD ARGS...";
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        String first = wrong.getUnmatched().get(0);
        CommandSpec spec = wrong.getCommandLine().getCommandSpec();
        boolean command = !spec.subcommands().isEmpty();
        String what =
                wrong.isUnknownOption() ? "unknown option" : command ? "unknown command" : "one argument too many:";
        List<String> suggestions = wrong.isUnknownOption()
                ? Spelling.like(first.replaceFirst("=.*", ""), spec.optionsMap().keySet())
                : Spelling.like(first, spec.subcommands().keySet());
        return what + " '" + first + "'"
                + (suggestions.isEmpty() ? "" : "; did you mean '" + String.join("' or '", suggestions) + "'?");
    }
}
