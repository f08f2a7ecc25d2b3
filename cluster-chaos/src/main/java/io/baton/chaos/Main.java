package io.baton.chaos;

import io.baton.chaos.check.Violation;
import io.baton.chaos.fleet.ClientPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: plays a run, and tells what came of it. */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Lets many client processes contend for locks with and without options, read/write locks, semaphores,"
                    + " multi-locks and seats, and use a counter and a sequence, on a real cluster of three servers, whose"
                    + " servers, network, processes and wall clocks are disturbed all the time, whose permissions, space"
                    + " and certificates come and go, and checks what they have seen. Every other process speaks TLS; on"
                    + " etcd all log in as a user.",
            "On databases there are a primary and an asynchronous standby, which is promoted now and then; entries are"
                    + " evicted by an operator.",
            "Exit status: 0 if nothing was wrong, 1 if something was, 2 if it could not be played."
        })
public final class Main extends ScenarioCommand {

    private static final int SHOWN = 5;

    @Option(
            names = "--store",
            required = true,
            paramLabel = "STORE",
            description = "zookeeper, etcd, postgres or mariadb.")
    private StoreKind store = StoreKind.ZOOKEEPER;

    @Option(names = "--minutes", paramLabel = "N", description = "For how long (default: ${DEFAULT-VALUE}).")
    private double minutes = 5;

    @Option(names = "--clients", paramLabel = "N", description = "How many clients (default: ${DEFAULT-VALUE}).")
    private int clients = 24;

    @Option(
            names = "--per-process",
            paramLabel = "N",
            description = "How many of them in one process (default: ${DEFAULT-VALUE}).")
    private int perProcess = 4;

    @Option(
            names = "--locks",
            paramLabel = "N",
            description = "How many locks; half as many read/write locks and semaphores, and four locks with options"
                    + " (default: ${DEFAULT-VALUE}).")
    private int locks = 4;

    @Option(
            names = "--seed",
            paramLabel = "S",
            description = "Decides the schedule of the faults (default: drawn, and printed).")
    private @Nullable Long seed;

    @Option(
            names = "--ttl",
            paramLabel = "SECONDS",
            description = "How long sessions live (default: 4 on ZooKeeper, otherwise 6).")
    private @Nullable Integer ttlSeconds;

    @Option(
            names = "--bound",
            paramLabel = "SECONDS",
            description = "How long it may take until every lock is granted again once all is well"
                    + " (default: ${DEFAULT-VALUE}).")
    private int boundSeconds = 30;

    @Option(
            names = "--faults",
            paramLabel = "WORDS",
            description =
                    "Only faults whose kind has these words in it, as 'frozen' or 'leader cut off', 'permission',"
                            + " 'space' or 'certificates', on databases 'promoted' or 'evicted'; may be given several times (default: all).")
    private List<String> faults = List.of();

    @Option(
            names = "--heap",
            paramLabel = "MB",
            description = "What each client process may use (default: 48 on ZooKeeper, otherwise 64).")
    private @Nullable Integer heapMegabytes;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where the histories go, in a folder of their own (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("target", "histories");

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        run(new Main(), args);
    }

    @Override
    public Integer call() throws InterruptedException {
        RunSettings settings = settings();
        System.out.println("chaos: seed " + settings.seed() + ", histories in " + settings.folder());
        ChaosRun run = new ChaosRun(settings);
        RunReport report = run.play();
        System.out.println(report.summary());
        if (!report.good()) {
            show(report, new ViolationContext(run.folder(), report.began()));
        }
        return finish(report.good(), settings.folder());
    }

    private static void show(RunReport report, ViolationContext surroundings) {
        List<Violation> violations = report.violations();
        for (Violation violation : violations.subList(0, Math.min(SHOWN, violations.size()))) {
            System.out.println("\n" + violation);
            surroundings.of(violation).forEach(System.out::println);
        }
        if (violations.size() > SHOWN) {
            System.out.println("\nand");
            violations.subList(SHOWN, violations.size()).forEach(System.out::println);
        }
        System.out.println();
    }

    private RunSettings settings() {
        if (clients < 1 || perProcess < 1 || locks < 1 || minutes <= 0) {
            throw new IllegalArgumentException("there must be some clients, some locks, and some time");
        }
        long chosen = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000) : seed;
        Duration ttl = ttlSeconds == null ? store.ttl() : Duration.ofSeconds(ttlSeconds);
        int heap = heapMegabytes == null ? store.heapMegabytes() : heapMegabytes;
        int processes = Math.max(1, (clients + perProcess - 1) / perProcess);
        return new RunSettings(
                store,
                Duration.ofMillis((long) (minutes * 60_000)),
                Duration.ofSeconds(boundSeconds),
                new ClientPlan(processes, Math.min(clients, perProcess), locks, ttl, heap, chosen),
                faults,
                folder.resolve(
                        store + "-" + chosen + "-" + ProcessHandle.current().pid()));
    }
}
