package io.baton.cli.queue;

import picocli.CommandLine.Option;

/** Whose line to look at: one of the two options, or neither for a lock. */
final class QueueKind {

    @Option(
            names = "--read-write",
            description = "NAME is a read/write lock, as of 'baton lock --shared' and '--exclusive'.")
    boolean readWrite;

    @Option(names = "--semaphore", description = "NAME is a semaphore, as of 'baton lock --permits'.")
    boolean semaphore;
}
