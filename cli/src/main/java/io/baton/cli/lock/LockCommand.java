package io.baton.cli.lock;

import io.baton.Coordinator;
import io.baton.cli.Failure;
import io.baton.cli.PlaceOption;
import io.baton.cli.StoreOption;
import io.baton.cli.run.Ending;
import io.baton.cli.run.Job;
import io.baton.cli.run.RunOptions;
import io.baton.cli.run.Runner;
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
        customSynopsis = "baton lock [--connect URI] [--shared | --exclusive | --permits N --of M]%n"
                + "                  [--timeout 10s | --try] [--ttl 10s] [--grace 2s] [--at PATH [--dialect PEERS]]%n"
                + "                  [--hold-at-least 1m] [--delay-after-loss 30s]%n"
                + "                  [--on-release-request release|refuse] [--status-file FILE]%n"
                + "                  NAME... -- CMD ARGS...",
        header = "Runs a command while holding a lock, permits of a semaphore, or several locks.",
        description = {
            "",
            "Runs CMD once this process holds the lock NAME; whoever asked first gets it first.",
            "CMD finds BATON_NAME and BATON_FENCING_TOKEN in its environment.",
            "",
            "With --shared or --exclusive NAME is a read/write lock: any number of commands hold it with",
            "--shared, or one holds it with --exclusive. With --permits NAME is a semaphore: all commands",
            "together hold --of permits at most. Neither has anything to do with the lock NAME.",
            "",
            "Several names are several locks, held together or not at all. BATON_NAME then has one name in",
            "each line, and BATON_FENCING_TOKEN one token for each with blanks between them, in this order.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton lock nightly-report -- ./report.sh             wait for it, as long as it takes",
            "  baton lock --timeout 30s nightly-report -- ./report.sh",
            "  baton lock --try nightly-report -- ./report.sh       not at all: 75 if somebody else has it",
            "  baton lock --at /legacy/locks/report report -- ./report.sh      beside Curator",
            "  baton lock --at report report -- ./report.sh                    beside 'etcdctl lock report'",
            "  baton lock --shared prices -- ./read.sh              with other readers, and no --exclusive",
            "  baton lock --permits 1 --of 5 uploads -- ./send.sh   five at a time",
            "  baton lock orders stock -- ./settle.sh               both, or none",
            "  baton lock --try --hold-at-least 10m nightly-report -- ./report.sh",
            "                                                       from cron on several hosts: one runs it",
            "  baton lock --status-file /run/report.status nightly-report -- ./report.sh",
            "",
            "CMD is ended (SIGTERM, then SIGKILL to all that it started) before the lock can pass on, also",
            "when baton itself is killed or frozen: a small process of its own, the watchdog, ends it.",
            "If the hold was evicted ('baton evict'), the message says by whom and why.",
            "",
            "Exit status: that of CMD, 128+n if signal n ended it; or",
            "   64  the command line makes no sense, the semaphore has another size than --of, or the lock",
            "       other values of --hold-at-least and --delay-after-loss",
            "   69  the store cannot be reached",
            "   71  the watchdog could not be started, or was killed; CMD was ended",
            "   72  baton itself could not be started: there is no Java, or one before 17",
            "   74  the status file cannot be written; CMD did not run",
            "   75  not acquired: in time, or at all with --try",
            "   79  the lock was lost, or about to be, or released on request, while CMD ran; CMD was ended",
            "  126  CMD cannot be started      127  CMD was not found"
        })
public final class LockCommand implements Callable<Integer> {

    @Mixin
    StoreOption store;

    @Mixin
    ClaimOptions claim;

    @Mixin
    PlaceOption place;

    @ArgGroup
    @Nullable
    Patience patience;

    @Mixin
    RunOptions options;

    @Option(
            names = "--on-release-request",
            paramLabel = "ANSWER",
            description = "What to do when 'baton release-request' asks for the lock: ${COMPLETION-CANDIDATES}. With"
                    + " release CMD is ended first, within --grace. Default: no answer.")
    @Nullable
    OnReleaseRequest onReleaseRequest;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(
            paramLabel = "NAME",
            arity = "1..*",
            description = "The lock, or several: any text; whoever uses the same contends.")
    List<String> names;

    private final List<String> command;

    /** Runs this command when the lock is acquired. */
    public LockCommand(List<String> command) {
        this.command = command;
    }

    @Override
    public Integer call() {
        return Runner.run(new Job("lock", names, command, options), this::check, this::run);
    }

    private void check() {
        place.check(store);
        claim.check(names, place);
        if (onReleaseRequest != null && claim.permits != null) {
            throw Failure.usage("--on-release-request goes without --permits: permits cannot be asked for");
        }
        String unused = store.uri();
    }

    private Ending run(Runner runner) throws InterruptedException {
        var acquisition = new LockWait(patience);
        try (Coordinator baton = runner.connect(store.uri(), patience == null ? null : patience.timeout)) {
            runner.awaitReady();
            try (Held held = acquisition.run(claim.wanted(baton, names, place));
                    RequestedRelease mandate = new RequestedRelease(held, onReleaseRequest)) {
                return runner.guard(mandate);
            }
        }
    }
}
