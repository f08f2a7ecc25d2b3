package io.baton.cli.config;

import io.baton.cli.Report;
import io.baton.config.Canary;
import io.baton.config.ConfigStore;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code baton config canary status}. */
@Command(
        name = "status",
        sortOptions = false,
        header = "Shows the canary under way, and how many of the chosen instances run it.",
        footer = {"", "Exit status: 0; 1 if there is none, 64 usage, 69 the store cannot be reached"})
final class CanaryStatusCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Mixin
    Reveal reveal;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::print);
    }

    private int print(ConfigStore store) throws InterruptedException {
        Optional<Canary> canary = store.canary();
        if (canary.isPresent()) {
            new CanaryShown(reveal.shown(), space.json)
                    .print(spec.commandLine().getOut(), canary.orElseThrow(), store.fleet());
        } else {
            Report.line(none(space));
        }
        return SpaceOptions.found(canary.isPresent());
    }

    /** The message when there is no canary. */
    static String none(SpaceOptions space) {
        return "there is no canary in '" + space.tree + "'";
    }
}
