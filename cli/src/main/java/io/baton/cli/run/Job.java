package io.baton.cli.run;

import java.util.List;

/**
 * A command to run under a mandate.
 *
 * @param verb the subcommand that runs it, as "lock"
 * @param names the name of the lock or election, or those of several locks
 * @param command the command and its arguments
 * @param options the options for the run
 */
public record Job(String verb, List<String> names, List<String> command, RunOptions options) {

    /** Copies the lists. */
    public Job {
        names = List.copyOf(names);
        command = List.copyOf(command);
    }
}
