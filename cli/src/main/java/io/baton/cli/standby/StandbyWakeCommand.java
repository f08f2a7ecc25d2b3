package io.baton.cli.standby;

import io.baton.cli.Exit;
import io.baton.cli.Text;
import io.baton.cli.elect.Operator;
import io.baton.election.StandbyAdmin;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyMember.Readiness;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton standby wake}. */
@Command(
        name = "wake",
        sortOptions = false,
        header = "Has nodes that wait after a failure try again at once.",
        description = {
            "",
            "A node whose fencer or hooks fail tries again, or stands again, more and more slowly. When the",
            "cause is repaired, this has all nodes of NAME try again now; what failed before does not count",
            "any more. Nodes that do not wait go on as they do. A node that is not healthy stays out until it",
            "is; so does one whose fencer has not returned. Nodes out of contact hear of it when they are back.",
            ""
        },
        footer = {
            "",
            "Exit status: 0, also if no node waits; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses"
        })
final class StandbyWakeCommand implements Callable<Integer> {

    @Mixin
    StandbyService service;

    @Option(
            names = "--by",
            paramLabel = "NAME",
            description = "Who does it, for the nodes' logs. Default: the user and the host, as ops@bastion.")
    @Nullable
    String by;

    @Spec
    CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        return service.connect(this::wake);
    }

    private int wake(StandbyAdmin nodes) throws InterruptedException {
        List<StandbyMember> members = nodes.overview().members();
        nodes.wake(by == null ? Operator.currentUser() : by);
        String waited = members.stream()
                .filter(each -> each.readiness() == Readiness.WAITING)
                .map(StandbyMember::id)
                .collect(Collectors.joining(", "));
        String told = waited.isEmpty() ? "no node has told that it waits" : "these have waited: " + waited;
        spec.commandLine().getOut().println(Text.line("'" + service.name + "': woken; " + told));
        return Exit.OK;
    }
}
