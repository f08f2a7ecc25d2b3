package io.baton.cli.leader;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.Report;
import io.baton.cli.StoreOption;
import io.baton.cli.elect.ElectionPlace;
import io.baton.election.LeaderElection;
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
import java.util.function.UnaryOperator;
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
        header = "Shows who leads, how far it has come, whether the election is paused, and every change.",
        description = {"", "Who stands first in the election NAME: its id, its term, and where it is to be reached.", ""
        },
        footer = {
            "",
            "Examples:",
            "  baton leader dispatcher",
            "  baton leader --json dispatcher | jq -r .address        where to send work",
            "  baton leader --follow dispatcher                       every change, until Ctrl-C",
            "",
            "Of a leader that has standbys (ActiveStandby) it says how far it has come, and as of when:",
            "starting, fencing the former one, active, stopping, or failed. Of others that is not known.",
            "",
            "An election that is paused ('baton elect --pause') has a line more, that says by whom, since",
            "when and why.",
            "",
            "--json prints one object a line, with id, address, term, priority, metadata, state (phase,",
            "about, asOf), paused (by, since, why, leader: who may lead meanwhile) and seen (UTC); null where",
            "there is nothing to say.",
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

    private final BlockingQueue<UnaryOperator<View>> seen = new LinkedBlockingQueue<>();

    /** For the command line parser. */
    public LeaderCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        place.check(store);
        CoordinatorOptions options = ReadOnlyConnection.options("baton leader", timeout);
        try (Coordinator baton = Coordinator.connect(store.uri(), options)) {
            LeaderElection election = place.election(baton, store, name);
            try (LeaderObserver observer = election.observe()) {
                Subscription unusedLeaders = observer.onChange(leader -> seen.add(view -> view.leading(leader)));
                Subscription unusedPauses = election.onPause(pause -> seen.add(view -> view.paused(pause)));
                Subscription unusedStates = election.onLeaderState(state -> seen.add(view -> view.withState(state)));
                View first = first(place.given());
                return follow ? follow(baton, first) : print(first);
            }
        }
    }

    /** Waits until all parts are known. At a shared path there is neither a pause nor a leader's state. */
    private View first(boolean shared) throws InterruptedException {
        View view = shared ? View.NOTHING.paused(Optional.empty()).withState(Optional.empty()) : View.NOTHING;
        long end = System.nanoTime() + timeout.toNanos();
        while (!view.complete()) {
            UnaryOperator<View> change = seen.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (change == null) {
                throw new Failure(
                        Exit.UNAVAILABLE,
                        "the store has not said within " + DurationOption.format(timeout) + " who leads");
            }
            view = change.apply(view);
        }
        return view;
    }

    private int print(View view) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? LeaderLine.json(view, Instant.now()) : LeaderLine.text(name, view));
        return view.leader().isPresent() ? Exit.OK : Exit.NOBODY;
    }

    /** Prints changes until a signal ends this process or stdout is closed. */
    private int follow(Coordinator baton, View first) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Subscription contact = baton.onState(LeaderCommand::printContact);
        View shown = View.NOTHING;
        View next = first;
        while (true) {
            if (!next.looksLike(shown)) {
                Instant now = Instant.now();
                out.println(
                        json
                                ? LeaderLine.json(next, now)
                                : LeaderLine.change(shown, next, now, ZoneId.systemDefault()));
                shown = next;
            }
            if (out.checkError()) {
                contact.close();
                return Exit.OK;
            }
            next = seen.take().apply(next);
        }
    }

    private static void printContact(SessionState state) {
        if (state == SessionState.SUSPENDED) {
            Report.line("no contact with the store: who leads may have changed");
        }
    }
}
