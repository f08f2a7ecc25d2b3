package io.baton.cli.standby;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.Text;
import io.baton.election.Breadcrumb;
import io.baton.election.BreadcrumbException;
import io.baton.election.LeftBreadcrumb;
import io.baton.election.StandbyAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code baton standby clear}. */
@Command(
        name = "clear",
        sortOptions = false,
        header = "Removes the breadcrumb of a former active node that is dead for certain.",
        description = {
            "",
            "Do this only where no fencer can reach that node, and you have made sure by other means that it",
            "does nothing any more: its machine is switched off, or its process has ended.",
            "",
            "What is given up: nobody fences it any more, so that nothing but your word keeps two nodes from",
            "being active. One that was only frozen or cut off goes on when it wakes; its writes with the",
            "term or the guard are refused then, and nothing else that it does.",
            "",
            "Refused while that node is in contact, or its session has not ended; and if another node has",
            "written its own breadcrumb meanwhile, which is never removed instead.",
            ""
        },
        footer = {
            "",
            "Exit status: 0; or",
            "    1  there is no breadcrumb",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses; look again what has come of it",
            "   75  not removed: not confirmed, or refused; the message says why"
        })
final class StandbyClearCommand implements Callable<Integer> {

    @Mixin
    StandbyService service;

    @Option(
            names = "--node",
            paramLabel = "ID",
            description = "Remove the breadcrumb of this node only, and none of another one.")
    @Nullable
    String node;

    @Option(names = "--yes", description = "Do not ask: I have made sure that this node does nothing any more.")
    boolean yes;

    @Spec
    CommandSpec spec;

    private final InputStream stdin;

    /** Reads the confirmation from this stream. */
    StandbyClearCommand(InputStream stdin) {
        this.stdin = stdin;
    }

    @Override
    public Integer call() throws InterruptedException {
        return service.connect(this::clear);
    }

    private int clear(StandbyAdmin nodes) throws InterruptedException {
        Optional<LeftBreadcrumb> left = nodes.overview().breadcrumb();
        if (left.isEmpty()) {
            Report.line("'" + service.name + "' has no breadcrumb: nobody is to be fenced");
            return Exit.ABSENT;
        }
        Breadcrumb crumb = left.get().breadcrumb();
        if (node != null && !node.equals(crumb.id())) {
            throw refused("the breadcrumb is not of '" + node + "', but of " + crumb);
        }
        if (left.get().inContact()) {
            // Checked before the user confirms; the session may have ended by the removal.
            throw refused(inContact(crumb));
        }
        if (!yes) {
            confirm(crumb);
        }
        try {
            nodes.clear(left.get());
        } catch (BreadcrumbException meanwhile) {
            throw refused(Failure.text(meanwhile));
        }
        spec.commandLine()
                .getOut()
                .println(Text.line("'" + service.name + "': removed the breadcrumb of " + crumb
                        + "; nodes that wait try again in a while, or at once after 'baton standby wake'"));
        return Exit.OK;
    }

    private void confirm(Breadcrumb crumb) {
        Report.line("'" + service.name + "': breadcrumb of " + crumb);
        Report.line("that node is not fenced any more if you go on: nothing but your word keeps it and another one from"
                + " being active at once");
        Report.line("make sure that it does nothing any more, and type its id to go on:");
        if (!crumb.id().equals(answer())) {
            throw refused("not confirmed; the breadcrumb stands as it did (--yes does without asking)");
        }
    }

    private String answer() {
        try {
            String line = new BufferedReader(new InputStreamReader(stdin, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line.strip();
        } catch (IOException noAnswer) {
            return "";
        }
    }

    private static String inContact(Breadcrumb crumb) {
        return "the breadcrumb was not removed: the node " + crumb
                + ", is in contact, or its session has not ended yet."
                + " If it is dead, wait until that has; if it goes on, end it, or make it active by"
                + " 'baton elect --hand-over-to', as it need not fence itself";
    }

    private static Failure refused(String why) {
        return new Failure(Exit.CONFLICT, why);
    }
}
