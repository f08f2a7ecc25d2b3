package io.baton.cli;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line in two parts: {@code baton lock} and {@code baton elect} run what stands behind {@code --}, which must not be read as
 * options of ours.
 *
 * @param own what is ours
 * @param command what stands behind the first {@code --} of these; empty if nothing does
 */
record Arguments(List<String> own, List<String> command) {

    /** The commands that run a command. */
    static final Set<String> RUNNERS = Set.of("lock", "elect");

    static Arguments split(List<String> args) {
        int dashes = args.indexOf("--");
        if (dashes < 0 || !RUNNERS.contains(args.get(0))) {
            return new Arguments(args, List.of());
        }
        return new Arguments(args.subList(0, dashes), args.subList(dashes + 1, args.size()));
    }

    /** What {@code --status-file} says, also where the rest cannot be understood. */
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
