package io.baton.cli.config;

import io.baton.cli.Failure;
import io.baton.cli.Spelling;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Finds invalid options among arguments that may be values with a leading minus. */
final class Misspelt {

    private Misspelt() {}

    /**
     * Rejects an argument that looks like an option in place of the first key, or in excess. The message does not quote
     * it, as it may be secret.
     */
    static void check(CommandSpec spec, List<String> args) {
        boolean pairs =
                !args.isEmpty() && args.get(0).indexOf('=') > 0 && !args.get(0).startsWith("-");
        for (int i = 0; i < args.size(); i++) {
            boolean value = !pairs && i == 1 && args.size() == 2;
            if (args.get(i).startsWith("-") && args.get(i).length() > 1 && !value) {
                throw Failure.usage("unknown option as argument " + (i + 1) + suggestion(spec, args.get(i)) + " (see '"
                        + spec.qualifiedName() + " --help')");
            }
        }
    }

    private static String suggestion(CommandSpec spec, String arg) {
        String name = arg.replaceFirst("=.*", "");
        List<String> like = Spelling.like(name, spec.optionsMap().keySet());
        return like.isEmpty() ? "" : "; did you mean '" + String.join("' or '", like) + "'?";
    }
}
