package io.baton.cli.queue;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.LockDelays;
import io.baton.PendingRelease;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.PlaceOption;
import io.baton.cli.QueueKind;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.StoreOption;
import io.baton.spi.Line;
import io.baton.spi.Names;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code baton queue}. */
@Command(
        name = "queue",
        sortOptions = false,
        customSynopsis = "baton queue [--connect URI] [--timeout 10s] [--read-write | --semaphore]%n"
                + "                   [--at PATH [--dialect PEERS]] [--json] NAME",
        header = "Shows who holds a lock or permits of a semaphore, and who waits.",
        description = {
            "",
            "One line each, in their order: the first holds, the others get it in turn. Of a read/write lock,",
            "neighbours with the claim 'shared' hold it together. Of a semaphore, each line has its permits.",
            "If options are stored with a lock, as of 'baton lock --hold-at-least', they are shown, and how",
            "long it stays blocked because of them. Also a request to release that is not answered yet: of",
            "whom, since when, and why.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  baton queue nightly-report",
            "  baton queue --json nightly-report | jq -r '.queue[0].host'  who has it?",
            "  baton queue --read-write prices",
            "  baton queue --semaphore --json uploads | jq '.size - .out'  how many permits are free?",
            "",
            "--json prints one object. Its queue is an array, empty if nobody stands there, of objects with",
            "position (from 1), holder, token, client, host, pid, since (UTC) and claim ('exclusive' or",
            "'shared'); null where a client does not say, as one that is not baton's (Curator, kazoo,",
            "etcdctl): it has no client, and is (foreign) in the table. holdAtLeastMillis and",
            "delayAfterLossMillis are the options stored with the lock, and restMillis is how long it stays",
            "blocked; null if none are stored. releaseRequest has token, by, since and reason of a request to",
            "release that is not answered; null if there is none. With --semaphore the object has size, out,",
            "holders and waiting; size is null until somebody asks for permits. Their entries have permits in",
            "place of claim; null if not known.",
            "",
            "Exit status: 0, also if nobody stands there; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached"
        })
public final class QueueCommand implements Callable<Integer> {

    @Mixin
    StoreOption store;

    @ArgGroup
    @Nullable
    QueueKind kind;

    @Mixin
    PlaceOption place;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            defaultValue = "10s",
            converter = DurationOption.class,
            description = "Wait no longer than this for the store. Default: ${DEFAULT-VALUE}.")
    Duration timeout;

    @Option(names = "--json", description = "For programs.")
    boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    boolean help;

    @Parameters(paramLabel = "NAME", description = "The lock or semaphore.")
    String name;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public QueueCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        place.check(store);
        Line.Kind line = QueueKind.of(kind, place);
        CoordinatorOptions options = ReadOnlyConnection.options("baton queue", timeout);
        List<String> lines;
        try (Coordinator baton = Coordinator.connect(store.uri(), options)) {
            lines = switch (line) {
                case MUTEX -> lock(baton);
                case READ_WRITE -> readWriteLock(baton);
                case PERMITS -> semaphore(baton);
            };
        }
        lines.forEach(spec.commandLine().getOut()::println);
        return Exit.OK;
    }

    private List<String> lock(Coordinator baton) throws InterruptedException {
        DistributedLock lock = place.lock(baton, name);
        List<QueueEntry> queue = lock.queue();
        Optional<LockDelays> delays = lock.delays();
        Optional<PendingRelease> asked = lock.pendingRelease();
        return json ? List.of(QueueJson.lock(queue, delays, asked)) : table().lock(name, queue, delays, asked);
    }

    private List<String> readWriteLock(Coordinator baton) throws InterruptedException {
        DistributedReadWriteLock lock = place.readWriteLock(baton, name);
        List<QueueEntry> queue = lock.queue();
        Optional<PendingRelease> asked = lock.read().pendingRelease();
        return json
                ? List.of(QueueJson.lock(queue, Optional.empty(), asked))
                : table().readWriteLock(name, queue, asked);
    }

    private List<String> semaphore(Coordinator baton) throws InterruptedException {
        // The size is that of the store; what is declared here matters to those only who acquire.
        SemaphoreView view = baton.semaphore(name, 1).view();
        return json ? List.of(QueueJson.semaphore(view)) : table().semaphore(name, view);
    }

    private static QueueTable table() {
        return new QueueTable(Instant.now(), ZoneId.systemDefault());
    }
}
