package io.baton.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Describes an error in the command line in a sentence, with a suggestion. */
final class Mistake {

    /** With these options, a subcommand that runs a command runs none. */
    private static final List<String> RUN_NOTHING = List.of("--hand-over-to", "--pause", "--resume");

    private Mistake() {}

    /** {@code commandGiven} is whether there is a command behind {@code --}. */
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

    private static boolean isOfACommand(String option, CommandSpec baton) {
        String name = option.replaceFirst("=.*", "");
        return baton.subcommands().values().stream()
                .anyMatch(each -> each.getCommandSpec().optionsMap().containsKey(name));
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        String first = wrong.getUnmatched().get(0);
        CommandSpec spec = wrong.getCommandLine().getCommandSpec();
        if (wrong.isUnknownOption() && spec.parent() == null && isOfACommand(first, spec)) {
            return "options stand behind the command, as in 'baton ls " + first + " ...'";
        }
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
