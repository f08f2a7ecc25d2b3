package io.baton.benchmarks.scale;

import io.baton.benchmarks.ByWord;
import io.baton.benchmarks.Measurement;
import io.baton.benchmarks.Server;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures Baton under much load. */
@Command(
        name = "scale",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {"0:every goal was met", "1:a goal was missed, or a case was not done in time", "2:bad usage"},
        usageHelpWidth = 120,
        description = {
            "Measures what thousands of waiters, thousands of locks and long lines cost, and whether other holds stay safe"
                    + " meanwhile. Each case has a server of its own, and clients in JVMs of their own.",
            "",
            "Cases:",
            "  waiters            5,000 acquireAsync on one lock by one coordinator; then the holder releases, and each",
            "                     grant is released at once. In the middle of queueing the connection is cut.",
            "  waiters-processes  The same by 20 processes with 250 each; every fourth is cut off.",
            "  locks              5,000 locks held by one coordinator, and waited for by another, which is cut off.",
            "  read-write         20 processes wait for one read/write lock, one waiter of five as a writer: first 5 of each",
            "                     process, then 50. Each grant is released at once.",
            "  readers            The same with readers only, which one writer lets in.",
            "  permits            The same for one permit each of a semaphore of 100.",
            "  long-line          A line of 20,000 entries, made by the store's own client; then tryAcquire(timeout),",
            "                     tryAcquire() and queue(). ZooKeeper cannot list it: refused at once, or taken. etcd: answered.",
            "",
            "Columns:",
            "  queue s, drain s   Until all are queued; from the release until the last grant. Of long-line: until the",
            "                     line is there.",
            "  least quiet        How long a hold of the same clients was certain to stay valid, at worst, as a share of",
            "                     its ttl of 10 s; looked at every 50 ms.",
            "  while cut off      The same in the seconds after a cut, until contact is back.",
            "  least neighbour    The same of a coordinator without load.",
            "  SUSPENDED / LOST   Changes of all sessions. Each cut makes one SUSPENDED.",
            "  heap MB            The largest heap in use, garbage included, of a JVM with -Xmx512m (processes: -Xmx96m).",
            "  requests/waiter    At the server, of all clients, while they queue and drain.",
            "  requests/hand-off  Of read-write, readers and permits: at the server, from the release to the end of the last",
            "                     hold, among few waiters and among many. The other figures are of both.",
            "",
            "Goals: all granted, locks one at a time and in order; no hold lost; none below half of its ttl, but while cut off;"
                    + " heap below 512 MB; requests per hand-off: among many at most half more than among few,"
                    + " and at most 5, or 14 for a permit.",
            ""
        })
public final class ScaleCommand extends Measurement {

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = StoreByWord.class,
            description = "zk or etcd (default: zk). An etcd is looked for where $BATON_ETCD says, or in the path.")
    private ScaleStore store = ScaleStore.ZOOKEEPER;

    @Option(
            names = "--case",
            paramLabel = "NAME",
            arity = "1..*",
            converter = CaseByWord.class,
            description = "Cases to measure (default: all).")
    private List<ScaleCase> cases = new ArrayList<>();

    @Option(names = "--short", description = "A few hundred waiters, only to see that it works.")
    private boolean little;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "A case that takes longer is NOT DONE (default: 180; 60 if --short).")
    private @Nullable Long limitSeconds;

    @Option(
            names = "--least",
            paramLabel = "SHARE",
            description =
                    "Another goal for least quiet and least neighbour, for a machine that does other things as well"
                            + " (default: ${DEFAULT-VALUE}).")
    private double least = 0.5;

    /** Filled by its options. */
    public ScaleCommand() {}

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(raw());
        List<ScaleCase> measured = cases.isEmpty() ? List.of(ScaleCase.values()) : cases;
        ScaleData data = new ScaleData(store);
        List<Figures> figures = new ArrayList<>();
        printHead(store.scheme() + ", each server in its own process, nothing forced to disk");
        System.out.println("\n" + ScaleTable.head());
        for (ScaleCase what : measured) {
            Figures found = measure(what);
            figures.add(found);
            data.add(found);
            System.out.println(ScaleTable.line(found));
        }
        System.out.println();
        for (Figures found : figures) {
            found.notes().forEach(note -> System.out.println("- " + found.what.word() + ": " + note));
        }
        finish("scale-" + store.scheme(), data::write);
        return figures.stream().allMatch(found -> found.problems().isEmpty()) ? 0 : 1;
    }

    private Figures measure(ScaleCase what) throws Exception {
        LoadSize size = little ? LoadSize.SHORT : LoadSize.FULL;
        Duration limit = limitSeconds == null ? size.limit() : Duration.ofSeconds(limitSeconds);
        try (Server server = Server.start(store.scheme());
                RawClient rawClient = store.rawClient(server.address())) {
            return what.measure(new Surroundings(store, server, rawClient, size, limit, least, raw()));
        }
    }

    private static final class StoreByWord extends ByWord<ScaleStore> {
        StoreByWord() {
            super("store", ScaleStore.class, ScaleStore::scheme);
        }
    }

    private static final class CaseByWord extends ByWord<ScaleCase> {
        CaseByWord() {
            super("case", ScaleCase.class, ScaleCase::word);
        }
    }
}
