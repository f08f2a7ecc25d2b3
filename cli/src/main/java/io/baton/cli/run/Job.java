package io.baton.cli.run;

import java.util.List;

/**
 * What is to be run.
 *
 * @param verb the subcommand that runs it, as "lock"
 * @param name what the mandate is of
 * @param command what to run
 * @param options how
 */
public record Job(String verb, String name, List<String> command, RunOptions options) {

    /** Copies the command. */
    public Job {
        command = List.copyOf(command);
    }
}
