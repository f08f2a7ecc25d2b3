package io.baton.benchmarks.scale;

import io.baton.benchmarks.Server;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
            "",
            "Goals: all granted, one at a time and in order; no hold lost; none below half of its ttl, but while cut off;"
                    + " heap below 512 MB.",
            ""
        })
public final class ScaleCommand implements Callable<Integer> {

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = ByScheme.class,
            description = "zk or etcd (default: zk). An etcd is looked for where $BATON_ETCD says, or in the path.")
    private ScaleStore store = ScaleStore.ZOOKEEPER;

    @Option(
            names = "--case",
            paramLabel = "NAME",
            arity = "1..*",
            converter = ByWord.class,
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

    @Option(
            names = "--raw",
            paramLabel = "DIR",
            description = "Where the raw data and the clients' logs go (default: ${DEFAULT-VALUE}).")
    private Path raw = Path.of("target", "results");

    /** Filled by its options. */
    public ScaleCommand() {}

    @Override
    public Integer call() throws Exception {
        Files.createDirectories(raw);
        List<ScaleCase> measured = cases.isEmpty() ? List.of(ScaleCase.values()) : cases;
        ScaleData data = new ScaleData(store);
        List<Figures> figures = new ArrayList<>();
        System.out.printf(
                Locale.ROOT,
                "JDK %s, %d processors, load %.1f; %s, each server in its own process, nothing forced to disk%n%n%s%n",
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                load(),
                store.scheme(),
                ScaleTable.head());
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
        String now =
                LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
        Path file = raw.resolve("scale-" + store.scheme() + "-" + now + ".csv");
        data.write(file);
        System.out.printf(Locale.ROOT, "%nload %.1f at the end; all figures: %s%n", load(), file);
        return figures.stream().allMatch(found -> found.problems().isEmpty()) ? 0 : 1;
    }

    private Figures measure(ScaleCase what) throws Exception {
        LoadSize size = little ? LoadSize.SHORT : LoadSize.FULL;
        Duration limit = limitSeconds == null ? size.limit() : Duration.ofSeconds(limitSeconds);
        try (Server server = store.start();
                RawClient rawClient = store.rawClient(server.address())) {
            return what.measure(new Surroundings(store, server, rawClient, size, limit, least, raw));
        }
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Names a store as its URIs do. */
    private static final class ByScheme implements ITypeConverter<ScaleStore> {

        @Override
        public ScaleStore convert(String scheme) {
            return Stream.of(ScaleStore.values())
                    .filter(store -> store.scheme().equals(scheme))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("no such store: " + scheme));
        }
    }

    /** Names a case as the table does. */
    private static final class ByWord implements ITypeConverter<ScaleCase> {

        @Override
        public ScaleCase convert(String word) {
            return Stream.of(ScaleCase.values())
                    .filter(one -> one.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("no such case: " + word));
        }
    }
}
