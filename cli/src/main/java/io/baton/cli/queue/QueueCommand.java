package io.baton.cli.queue;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.QueueEntry;
import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.PlaceOption;
import io.baton.cli.ReadOnlyConnection;
import io.baton.cli.StoreOption;
import io.baton.spi.Names;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.Callable;
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
        customSynopsis = "baton queue [--connect URI] [--timeout 10s] [--at PATH [--dialect PEERS]] [--json] NAME",
        header = "Shows who holds a lock, and who waits for it.",
        description = {"", "One line each, in their order: the first holds, the others get it in turn.", ""},
        footer = {
            "",
            "Examples:",
            "  baton queue nightly-report",
            "  baton queue --json nightly-report | jq -r '.[0].host'       who has it?",
            "",
            "--json prints one array, empty if nobody stands there, of objects with position (from 1),",
            "holder, token, client, host, pid and since (UTC); null where a client does not say, as one",
            "that is not baton's (Curator, kazoo, etcdctl): it has no client, and is (foreign) in the table.",
            "",
            "Exit status: 0, also if nobody stands there; or",
            "   64  the command line makes no sense",
            "   69  the store cannot be reached"
        })
public final class QueueCommand implements Callable<Integer> {

    @Mixin
    StoreOption store;

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

    @Parameters(paramLabel = "NAME", description = "The lock.")
    String name;

    @Spec
    CommandSpec spec;

    /** For the command line parser. */
    public QueueCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        Names.check(name);
        place.check(store);
        List<QueueEntry> queue = readQueue();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(QueueJson.array(queue));
        } else {
            new QueueTable(Instant.now(), ZoneId.systemDefault())
                    .lines(name, queue)
                    .forEach(out::println);
        }
        return Exit.OK;
    }

    private List<QueueEntry> readQueue() throws InterruptedException {
        CoordinatorOptions options = ReadOnlyConnection.options("baton queue", timeout);
        try (Coordinator baton = Coordinator.connect(store.uri(), options)) {
            return place.lock(baton, name).queue();
        }
    }
}
