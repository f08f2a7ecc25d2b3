package io.baton.cli.config;

import io.baton.config.ConfigEdit;
import picocli.CommandLine.Option;

/** Whether a change may take several transactions: {@code --in-parts}. */
final class InParts {

    @Option(
            names = "--in-parts",
            description = "In several transactions, if it does not fit into one; the same again goes on.")
    boolean inParts;

    /** Returns the same change, which may take several transactions if the option is given. */
    ConfigEdit allow(ConfigEdit edit) {
        return inParts ? edit.inParts() : edit;
    }
}
