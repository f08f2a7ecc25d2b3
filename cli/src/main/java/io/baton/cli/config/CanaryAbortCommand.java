package io.baton.cli.config;

import io.baton.cli.JsonObject;
import io.baton.cli.Report;
import io.baton.config.Canary;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code baton config canary abort}. */
@Command(
        name = "abort",
        sortOptions = false,
        header = "Takes the canary back: who uses it returns to the values of all.",
        footer = {
            "",
            "Exit status: 0; 1 if there is none, 64 usage, 69 the store cannot be reached,",
            "75 another client has just ended it"
        })
final class CanaryAbortCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(this::abort);
    }

    private int abort(ConfigStore store) throws InterruptedException {
        Optional<Canary> canary = store.canary();
        if (canary.isPresent()) {
            String id = canary.orElseThrow().id();
            abort(store, id);
            PrintWriter out = spec.commandLine().getOut();
            out.println(space.json ? new JsonObject().text("aborted", id).end() : "canary " + id + " was taken back");
        } else {
            Report.line(CanaryStatusCommand.none(space));
        }
        return SpaceOptions.found(canary.isPresent());
    }

    private static void abort(ConfigStore store, String id) throws InterruptedException {
        try {
            store.abort(id);
        } catch (ConfigException refused) {
            throw CanaryMonitor.overOr(store, id, refused);
        }
    }
}
