package io.baton.cli;

import java.util.List;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What is wrong with a command line, in a sentence; with what was probably meant. */
final class Mistake {

    private Mistake() {}

    static String of(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        return Failure.text(wrong).replaceFirst("^Error: ", "");
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        String first = wrong.getUnmatched().get(0);
        boolean command = !wrong.getCommandLine().getSubcommands().isEmpty();
        String what =
                wrong.isUnknownOption() ? "unknown option" : command ? "unknown command" : "one argument too many:";
        List<String> suggestions = wrong.isUnknownOption() || command ? wrong.getSuggestions() : List.of();
        return what + " '" + first + "'"
                + (suggestions.isEmpty() ? "" : "; did you mean '" + String.join("' or '", suggestions) + "'?");
    }
}
