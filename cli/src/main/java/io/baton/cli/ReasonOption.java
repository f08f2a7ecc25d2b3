package io.baton.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Why an operator interferes: {@code --reason}, which has to be given. */
public final class ReasonOption {

    /** Fits beside the other fields of a record on every store, and on a screen. */
    private static final int MOST = 500;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for people: the owner is shown it, with your user and host. Has to be given.")
    @Nullable
    String reason;

    /** For the command line parser. */
    public ReasonOption() {}

    /**
     * Returns the reason.
     *
     * @throws Failure if it is missing or too long
     */
    public String text() {
        if (reason == null || reason.isBlank()) {
            throw Failure.usage("say why with --reason: the owner is shown it, as in --reason 'web1 is on fire'");
        }
        int length = reason.codePointCount(0, reason.length());
        if (length > MOST) {
            throw Failure.usage("--reason may have " + MOST + " characters; this one has " + length);
        }
        return reason.strip();
    }
}
