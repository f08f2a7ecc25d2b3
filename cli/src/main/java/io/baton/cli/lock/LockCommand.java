package io.baton.cli.lock;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.PlaceOption;
import io.baton.cli.Report;
import io.baton.cli.Signals;
import io.baton.cli.StoreOption;
import io.baton.spi.Names;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code baton lock}. */
@Command(
        name = "lock",
        sortOptions = false,
        customSynopsis = "baton lock [--connect URI] [--timeout 10s | --try] [--ttl 10s] [--grace 2s]%n"
                + "                  [--at PATH [--dialect PEERS]] [--status-file FILE] NAME -- CMD ARGS...",
        header = "Runs a command while holding a lock.",
        description = {
            "",
            "Runs CMD once this process holds the lock NAME; whoever asked first gets it first.",
            "CMD finds BATON_NAME and BATON_FENCING_TOKEN in its environment.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton lock nightly-report -- ./report.sh             wait for it, as long as it takes",
            "  baton lock --timeout 30s nightly-report -- ./report.sh",
            "  baton lock --try nightly-report -- ./report.sh       not at all: 75 if somebody else has it",
            "  baton lock --at /legacy/locks/report report -- ./report.sh      beside Curator or etcdctl",
            "  baton lock --status-file /run/report.status nightly-report -- ./report.sh",
            "",
            "CMD is ended (SIGTERM, then SIGKILL to all that it started) before the lock can pass to somebody else,",
            "also when baton itself is killed or frozen: a small process of its own, the watchdog, sees to it.",
            "",
            "Exit status: that of CMD, 128+n if signal n ended it; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached",
            "   71  the watchdog could not be started, or was killed; CMD was ended",
            "   75  not acquired: in time, or at all with --try",
            "   79  the lock was lost, or about to be, while CMD ran; CMD was ended",
            "  126  CMD cannot be started      127  CMD was not found"
        })
public final class LockCommand implements Callable<Integer> {

    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** How long to wait for the store to confirm the release; past that the entry goes with the session. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    @Mixin
    StoreOption store;

    @Mixin
    PlaceOption place;

    @ArgGroup
    @Nullable
    Patience patience;

    @Option(
            names = "--ttl",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description =
                    "How long the store keeps the lock of a process that it no longer hears; if servers grant only"
                            + " a longer one, that is told. Default: ${DEFAULT-VALUE}.")
    Duration ttl;

    @Option(
            names = "--grace",
            paramLabel = "DURATION",
            defaultValue = "2s",
            converter = DurationOption.class,
            description = "When contact is lost: how long before the lock may pass to somebody else CMD gets SIGTERM,"
                    + " with SIGKILL at the end of it; at most 45 %% of the ttl. Default: ${DEFAULT-VALUE}.")
    Duration grace;

    @Option(
            names = "--status-file",
            paramLabel = "FILE",
            defaultValue = "",
            description = "Where to write how it ended, in the words of baton: lines of verdict=, status=, command=,"
                    + " token= and message=.")
    String statusFile;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The lock: any text; whoever uses the same contends.")
    String name;

    private final List<String> command;

    /** Will run this command. */
    public LockCommand(List<String> command) {
        this.command = command;
    }

    @Override
    public Integer call() {
        StatusFile file = StatusFile.at(statusFile);
        file.check();
        var inbox = new SignalInbox(Thread.currentThread());
        try (Watchdog watchdog = watchdog(file, inbox)) {
            return concluded(file, attempt(watchdog, inbox));
        } catch (RuntimeException refused) {
            return concluded(file, Ending.failed(Failure.of(refused)));
        }
    }

    /** Refuses what makes no sense. Starts the watchdog first of all: it needs as long as it takes to connect. */
    private Watchdog watchdog(StatusFile file, SignalInbox inbox) {
        if (command.isEmpty()) {
            throw Failure.usage("the command to run goes behind '--': baton lock NAME -- CMD ARGS...");
        }
        Names.check(name);
        place.check();
        String unused = store.uri();
        Executable.check(command.get(0));
        Signals.handle(inbox::arrived);
        return Watchdog.start(name, grace, file, command);
    }

    /** However it ends: baton must be able to say so. */
    private Ending attempt(Watchdog watchdog, SignalInbox inbox) {
        try {
            return run(watchdog, inbox);
        } catch (InterruptedException signalled) {
            return Ending.signalled(inbox.ended().orElse(Exit.DEFECT));
        } catch (Throwable thrown) {
            return Ending.failed(Failure.of(thrown));
        }
    }

    private Ending run(Watchdog watchdog, SignalInbox inbox) throws InterruptedException {
        Duration timeout = patience == null ? null : patience.timeout;
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client("baton lock")
                .ttl(ttl)
                .connectTimeout(timeout == null ? CONNECT : timeout)
                .closeTimeout(CLOSE)
                .build();
        var acquisition = new Acquisition(name, patience);
        try (Coordinator baton = Coordinator.connect(store.uri(), options)) {
            tellOfAnother(baton.ttl());
            watchdog.awaitReady();
            try (Hold hold = acquisition.run(place.lock(baton, name))) {
                return inbox.ended().map(Ending::signalled).orElseGet(() -> guard(hold, watchdog, inbox));
            }
        }
    }

    private void tellOfAnother(Duration granted) {
        if (granted.compareTo(ttl) > 0) {
            Report.line("the store grants a ttl of " + DurationOption.format(granted) + ", not "
                    + DurationOption.format(ttl) + ": if this machine dies, the others wait for that long");
        }
    }

    private Ending guard(Hold hold, Watchdog watchdog, SignalInbox inbox) {
        var guardian = new Guardian(hold, watchdog, grace);
        guardian.start();
        inbox.pass(watchdog::signal);
        return guardian.watch();
    }

    private static int concluded(StatusFile file, Ending ending) {
        if (!ending.message().isEmpty()) {
            Report.line(ending.message());
        }
        // While the watchdog is there: if this process is killed now, the watchdog writes it.
        file.write(ending);
        return ending.status().orElse(Exit.DEFECT);
    }
}
