package io.baton.cli.config;

import picocli.CommandLine.Option;

/** Whether secrets are shown: {@code --reveal}. */
final class Reveal {

    @Option(names = "--reveal", description = "Show values that are marked secret, too.")
    boolean secrets;

    Shown shown() {
        return new Shown(secrets);
    }
}
