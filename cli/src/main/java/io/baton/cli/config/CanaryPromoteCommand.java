package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Report;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code baton config canary promote}. */
@Command(
        name = "promote",
        sortOptions = false,
        header = "Makes the canary a change for all.",
        footer = {
            "",
            "Exit status: 0; 1 if there is none, 64 usage, 69 the store cannot be reached,",
            "75 an instance has rejected it, a key of it has been written since, or another client has ended it"
        })
final class CanaryPromoteCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::promote);
    }

    private int promote(ConfigStore store) throws InterruptedException {
        Optional<Canary> canary = store.canary();
        if (canary.isEmpty()) {
            Report.line(CanaryStatusCommand.none(space));
            return Exit.ABSENT;
        }
        Written.print(
                spec.commandLine().getOut(),
                space.json,
                store,
                promoted(store, canary.orElseThrow().id()));
        return Exit.OK;
    }

    private static ConfigCommit promoted(ConfigStore store, String id) throws InterruptedException {
        try {
            return store.promote(id);
        } catch (ConfigException refused) {
            throw CanaryMonitor.overOr(store, id, refused);
        }
    }
}
