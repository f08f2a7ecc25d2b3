package io.baton.cli.standby;

import io.baton.cli.Exit;
import io.baton.election.LeaderState;
import io.baton.election.StandbyAdmin;
import io.baton.election.StandbyOverview;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton standby status}. */
@Command(
        name = "status",
        sortOptions = false,
        header = "Shows which node is active, how the others do, and who is to be fenced.",
        description = {
            "",
            "First who leads, and how far it has come: starting, fencing, active, stopping, or failed. Then",
            "a pause, if there is one, and the breadcrumb. Then a line for each node that is in contact:",
            "",
            "  PLACE   where it stands in the line: 1 leads; - does not stand there",
            "  STATE   standby, promoting, active, demoting",
            "  READY   ready; waiting: has failed, and tries again in a while ('baton standby wake': now);",
            "          stuck: a fencer that it has given up has not returned; unfit: see HEALTH;",
            "          aside: the election is paused",
            "  HEALTH  healthy, unhealthy, or unknown, as no check has ended yet",
            "  AS OF   when it was so, by the node's own clock",
            ""
        },
        footer = {
            "",
            "--json prints one object, with name, leader (id, address, term), state (phase, about, asOf),",
            "nodes (id, address, priority, place, state, readiness, health, again, trouble, asOf), others",
            "(ids of candidates that are no nodes), breadcrumb (id, address, term, since, inContact) and",
            "paused (by, since, why, leader); null where there is nothing to say.",
            "",
            "Exit status: 0 if a node is active; or",
            "    1  none is",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses"
        })
final class StandbyStatusCommand implements Callable<Integer> {

    @Mixin
    StandbyService service;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return service.connect(this::print);
    }

    private int print(StandbyAdmin nodes) throws InterruptedException {
        StandbyOverview now = nodes.overview();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(OverviewJson.of(service.name, now));
        } else {
            OverviewText.lines(service.name, now).forEach(out::println);
        }
        boolean active = now.state()
                .filter(each -> each.phase() == LeaderState.Phase.ACTIVE)
                .isPresent();
        return active ? Exit.OK : Exit.NOBODY;
    }
}
