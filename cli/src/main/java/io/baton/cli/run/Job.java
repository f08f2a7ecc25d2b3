package io.baton.cli.run;

import java.util.List;

/**
 * A command to run under a mandate.
 *
 * @param verb the subcommand that runs it, as "lock"
 * @param name the name of the lock or election
 * @param command the command and its arguments
 * @param options the options for the run
 */
public record Job(String verb, String name, List<String> command, RunOptions options) {

    /** Copies the command. */
    public Job {
        command = List.copyOf(command);
    }
}
