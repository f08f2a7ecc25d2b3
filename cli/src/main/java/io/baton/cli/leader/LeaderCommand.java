package io.baton.cli.leader;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.StoreOption;
import io.baton.cli.Visitor;
import io.baton.cli.elect.ElectionPlace;
import io.baton.election.Leader;
import io.baton.election.LeaderObserver;
import io.baton.spi.Names;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton leader}. */
@Command(
        name = "leader",
        sortOptions = false,
        customSynopsis = "baton leader [--connect URI] [--timeout 10s] [--at PATH] [--follow] [--json] NAME",
        header = "Shows who leads, and every change of it.",
        description = {"", "Who stands first in the election NAME: its id, its term, and where it is to be reached.", ""
        },
        footer = {
            "",
            "Examples:",
            "  baton leader dispatcher",
            "  baton leader --json dispatcher | jq -r .address        where to send work",
            "  baton leader --follow dispatcher                       every change, until Ctrl-C",
            "",
            "--json prints one object a line, with id, address, term, priority, metadata and seen (UTC);",
            "null where there is nothing to say, as all but the last two are when nobody leads.",
            "",
            "Exit status: 0 if somebody leads, and of --follow always; or",
            "    1  nobody leads",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses"
        })
public final class LeaderCommand implements Callable<Integer> {

    @Mixin
    StoreOption store;

    @Mixin
    ElectionPlace place;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(
            names = "--follow",
            description = "Print every change as it is seen, one a line, with its time, and that nobody leads;"
                    + " first the present state.")
    boolean follow;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The election.")
    String name;

    @Spec
    CommandSpec spec;

    private final BlockingQueue<Optional<Leader>> seen = new LinkedBlockingQueue<>();

    /** Made by the command line parser. */
    public LeaderCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        place.check();
        CoordinatorOptions options = Visitor.options("baton leader", timeout);
        try (Coordinator baton = Coordinator.connect(store.uri(), options);
                LeaderObserver observer = place.election(baton, store, name).observe()) {
            Subscription unused = observer.onChange(seen::add);
            Optional<Leader> first = seen.poll(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (first == null) {
                throw new Failure(
                        Exit.UNAVAILABLE,
                        "the store has not said within " + DurationOption.format(timeout) + " who leads");
            }
            return follow ? follow(baton, first) : tell(first);
        }
    }

    private int tell(Optional<Leader> leader) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? Shown.json(leader, Instant.now()) : Shown.text(name, leader));
        return leader.isPresent() ? Exit.OK : Exit.NOBODY;
    }

    /** Until a signal ends this process, or nobody reads any more. */
    private int follow(Coordinator baton, Optional<Leader> first) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Subscription unused = baton.onState(LeaderCommand::tellOfContact);
        Optional<Leader> leader = first;
        do {
            Instant now = Instant.now();
            out.println(json ? Shown.json(leader, now) : Shown.text(leader, now, ZoneId.systemDefault()));
            leader = out.checkError() ? null : seen.take();
        } while (leader != null);
        return Exit.OK;
    }

    private static void tellOfContact(SessionState state) {
        if (state == SessionState.SUSPENDED) {
            Report.line("no contact with the store: who leads may have changed");
        }
    }
}
