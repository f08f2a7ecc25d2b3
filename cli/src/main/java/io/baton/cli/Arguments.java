package io.baton.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line in two parts: Baton's own arguments, and the command behind {@code --}. {@code baton lock} and
 * {@code baton elect} run the latter, so it is not parsed for options.
 *
 * @param own Baton's own arguments
 * @param command the arguments after the first {@code --}; empty if there are none
 */
record Arguments(List<String> own, List<String> command) {

    /** The subcommands that run a command. */
    static final Set<String> RUNNERS = Set.of("lock", "elect");

    static Arguments split(List<String> args) {
        int dashes = args.indexOf("--");
        if (dashes < 0 || !RUNNERS.contains(args.get(0))) {
            return new Arguments(args, List.of());
        }
        return new Arguments(args.subList(0, dashes), args.subList(dashes + 1, args.size()));
    }

    /** The value of {@code --status-file}, even if other arguments are invalid. */
    Optional<String> statusFile() {
        String option = "--status-file";
        for (int i = 0; i < own.size(); i++) {
            if (own.get(i).startsWith(option + "=")) {
                return Optional.of(own.get(i).substring(option.length() + 1));
            } else if (own.get(i).equals(option) && i + 1 < own.size()) {
                return Optional.of(own.get(i + 1));
            }
        }
        return Optional.empty();
    }
}
