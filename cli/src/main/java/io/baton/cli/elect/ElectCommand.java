package io.baton.cli.elect;

import io.baton.Coordinator;
import io.baton.cli.CommandTimeout;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import io.baton.cli.StoreOption;
import io.baton.cli.run.Ending;
import io.baton.cli.run.Job;
import io.baton.cli.run.RunOptions;
import io.baton.cli.run.Runner;
import io.baton.election.Candidate;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton elect}. */
@Command(
        name = "elect",
        sortOptions = false,
        customSynopsis = "baton elect [--connect URI] [--id ID] [--advertise ADDRESS] [--meta KEY=VALUE]...%n"
                + "                  [--priority N] [--again] [--timeout 10s] [--ttl 10s] [--grace 2s] [--at PATH]%n"
                + "                  [--status-file FILE] NAME -- CMD ARGS...%n"
                + "       baton elect [--connect URI] --hand-over-to ID [--pin 1h] [--timeout 10s] NAME%n"
                + "       baton elect [--connect URI] --pause [--why TEXT] [--by NAME] [--timeout 10s] NAME%n"
                + "       baton elect [--connect URI] --resume [--timeout 10s] NAME",
        header = "Runs a command while this process leads; or has the leader hand over; or pauses an election.",
        description = {
            "",
            "Stands for election in NAME, and runs CMD once elected; of all who stand, one leads at a time.",
            "CMD finds BATON_NAME and BATON_FENCING_TOKEN, which is the term, in its environment.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton elect dispatcher -- ./dispatch.sh                  stand by; lead when it is our turn",
            "  baton elect --id node-1 --advertise 10.0.0.1:8080 dispatcher -- ./serve --port 8080",
            "  baton elect --again dispatcher -- ./dispatch.sh          as a service: again after a loss",
            "  baton elect --at /legacy/leader dispatcher -- ./dispatch.sh    beside Curator or etcdctl",
            "  baton elect --hand-over-to node-2 dispatcher               before maintenance of who leads",
            "  baton elect --pause --why 'moving racks' dispatcher        nobody takes over until --resume",
            "  baton elect --hand-over-to node-2 --pin 1h dispatcher      in 1h priorities count again",
            "",
            "CMD is ended (SIGTERM, then SIGKILL to all that it started) before somebody else can lead,",
            "also when baton itself is killed or frozen: a small process of its own, the watchdog, sees to",
            "it. If CMD ends by itself the leadership is given back, and baton ends. 'baton leader' shows",
            "who leads. Asked to hand over, a leader's CMD is ended likewise, within --grace;",
            "--hand-over-to waits for that, and prints who leads then. The new leader is pinned: candidates",
            "of higher --priority do not take over from it until its term ends, or until --pin is over.",
            "",
            "--pause is for maintenance: the leader goes on, and may come back after a break; nobody else",
            "takes over, not even when the leader has gone, and hand-overs are refused. Whoever waits and",
            "'baton leader' say who has paused it, since when and why.",
            "",
            "Exit status: that of CMD, 128+n if signal n ended it; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached, or refuses, or does not say whether it was handed over",
            "   71  the watchdog could not be started, or was killed; CMD was ended",
            "   72  baton itself could not be started: there is no Java, or one before 17",
            "   74  the status file cannot be written; CMD did not run",
            "   75  not elected, or not handed over, in time; the message says why",
            "   79  the leadership was lost, or about to be, or handed over, while CMD ran; CMD was ended",
            "       (not with --again: then baton stands again)",
            "  126  CMD cannot be started      127  CMD was not found"
        })
public final class ElectCommand implements Callable<Integer> {

    private static final Duration VISIT = Duration.ofSeconds(10);

    @Mixin
    StoreOption store;

    @Mixin
    CandidateOptions candidate;

    @Option(
            names = "--again",
            description = "When the leadership is lost or handed over, stand again at the end of the line, and run CMD"
                    + " anew when elected, until CMD ends by itself or a signal ends baton.")
    boolean again;

    @Option(
            names = "--hand-over-to",
            paramLabel = "ID",
            description = "Run nothing: ask whoever leads to hand over to this candidate, which has to stand already.")
    @Nullable
    String handOverTo;

    @Option(
            names = "--pin",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "With --hand-over-to: for so long no candidate of higher priority takes over from the new"
                    + " leader. Default: until its term ends.")
    @Nullable
    Duration pin;

    @Mixin
    PauseOptions pausing;

    @Mixin
    ElectionPlace place;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store and to be elected, or for the hand-over, pause or"
                    + " resumption. Default: 10s, but to be elected for ever.")
    @Nullable
    Duration timeout;

    @Mixin
    RunOptions options;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The election: any text; whoever uses the same takes part.")
    String name;

    @Spec
    CommandSpec spec;

    private final List<String> command;
    private final long startedNanos = System.nanoTime();

    /** Runs this command when elected. */
    public ElectCommand(List<String> command) {
        this.command = command;
    }

    @Override
    public Integer call() throws InterruptedException {
        pausing.check();
        if (!pausing.given() && handOverTo == null) {
            return run();
        }
        if (options.writesStatus()) {
            throw Failure.usage("--status-file is for the end of a command, and this runs none");
        }
        return handOverTo == null ? pauseOrResume() : handOver(handOverTo);
    }

    private int pauseOrResume() throws InterruptedException {
        Names.check(name);
        if (!command.isEmpty() || again || candidate.given() || place.given() || handOverTo != null || pin != null) {
            throw Failure.usage("--pause and --resume go with --connect and --timeout only: they run nothing, and at a"
                    + " path that is shared nobody would know of a pause");
        }
        return pausing.run(store.uri(), name, visit(), spec.commandLine().getOut());
    }

    private CommandTimeout visit() {
        return new CommandTimeout(timeout == null ? VISIT : timeout, startedNanos);
    }

    private int handOver(String id) throws InterruptedException {
        Names.check(name);
        if (!command.isEmpty() || again || candidate.given() || place.given()) {
            throw Failure.usage(
                    "--hand-over-to goes with --connect, --pin and --timeout only: it runs nothing, and at a path"
                            + " that is shared nobody hands over");
        }
        String leader = HandOver.ask(store.uri(), name, id, visit(), pin);
        spec.commandLine().getOut().println(leader);
        return Exit.OK;
    }

    private int run() {
        return Runner.run(new Job("elect", List.of(name), command, options), this::check, this::stand);
    }

    private void check() {
        if (pin != null) {
            throw Failure.usage("--pin goes with --hand-over-to: it is for the leader that is put there by hand");
        }
        place.check(store);
        candidate.check();
        String unused = store.uri();
    }

    private Ending stand(Runner runner) throws InterruptedException {
        try (Coordinator baton = runner.connect(store.uri(), timeout)) {
            Candidate me = candidate.candidate(options.grace(), baton.ttl());
            runner.awaitReady();
            try (Standing standing = new Standing(place.election(baton, store, name), name, me, baton.ttl())) {
                return lead(runner, standing);
            }
        }
    }

    private Ending lead(Runner runner, Standing standing) throws InterruptedException {
        CommandTimeout patience = timeout == null ? null : new CommandTimeout(timeout, startedNanos);
        while (true) {
            ElectedTerm term = standing.await(patience);
            Ending ending = runner.guard(term);
            if (!again || !ending.mandateEnded()) {
                return ending;
            }
            term.stopped().complete(null);
            if (!runner.again()) {
                return ending;
            }
            Report.lineAside(ending.message());
            Report.lineAside("standing again in '" + name + "'");
            patience = null;
            runner.awaitReady();
        }
    }
}
