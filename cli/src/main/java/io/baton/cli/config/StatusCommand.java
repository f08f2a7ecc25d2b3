package io.baton.cli.config;

import io.baton.cli.Exit;
import io.baton.cli.Grid;
import io.baton.config.ConfigStore;
import io.baton.config.FleetMember;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code baton config status}. */
@Command(
        name = "status",
        sortOptions = false,
        customSynopsis = "baton config status [--connect URI] [--space TREE] [--timeout 10s] [--json]",
        header = "Shows which instance runs which change, and who has rejected one, and why.",
        description = {
            "",
            "Instances appear that have a name, LiveConfig.builder(...).instance(...), for as long as",
            "their session lasts.",
            ""
        },
        footer = {
            "",
            "--json prints an object with change (the newest), running (how many run it) and instances:",
            "objects with id, host, labels, source, change, behind, revision, canary and rejected.",
            "",
            "Exit status: 0, whatever they run; 64 usage, 69 the store cannot be reached"
        })
final class StatusCommand implements Callable<Integer> {

    @Mixin
    SpaceOptions space;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return space.open(store -> {
            print(store);
            return Exit.OK;
        });
    }

    private void print(ConfigStore store) throws InterruptedException {
        // The fleet is read first, so that no instance seems to run a future change.
        List<FleetMember> members = store.fleet();
        var fleet = new Fleet(Newest.change(store), members);
        var out = spec.commandLine().getOut();
        if (space.json) {
            out.println(fleet.json());
            return;
        }
        if (!members.isEmpty()) {
            Grid.lines(fleet.rows()).forEach(out::println);
        }
        out.println(fleet.summary());
    }
}
