package io.baton.cli.config;

import io.baton.config.ConfigEdit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The author and the reason of a change: {@code --author}, {@code --comment}. */
final class Signature {

    @Option(names = "--author", paramLabel = "NAME", description = "Who writes. Default: you, at this host.")
    @Nullable
    String author;

    @Option(names = "--comment", paramLabel = "TEXT", description = "Why; it is kept in the history.")
    @Nullable
    String comment;

    /** Returns the same change with author and comment. */
    ConfigEdit sign(ConfigEdit edit) {
        if (author != null) {
            edit.author(author);
        }
        return comment == null ? edit : edit.comment(comment);
    }
}
