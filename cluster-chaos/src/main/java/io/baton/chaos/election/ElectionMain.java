package io.baton.chaos.election;

import io.baton.chaos.ScenarioCommand;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command: plays a run, and tells what came of it. */
@Command(
        name = "elections",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Has many candidates in several processes lead one after the other, by force, and compares what they, and an"
                    + " observer in each process, have seen.",
            "Exit status: 0 if nothing was wrong, 1 if something was, 2 if it could not be played."
        })
public final class ElectionMain extends ScenarioCommand {

    private static final int SHOWN = 10;

    @Option(names = "--store", required = true, paramLabel = "STORE", description = "zookeeper or etcd.")
    private SiteKind store = SiteKind.ZOOKEEPER;

    @Option(names = "--processes", paramLabel = "N", description = "How many (default: ${DEFAULT-VALUE}).")
    private int processes = 10;

    @Option(
            names = "--candidates",
            paramLabel = "N",
            description = "How many in each process (default: ${DEFAULT-VALUE}).")
    private int candidates = 10;

    @Option(names = "--resigned", paramLabel = "N", description = "So many resign (default: ${DEFAULT-VALUE}).")
    private int resigned = 95;

    @Option(
            names = "--removed",
            paramLabel = "N",
            description = "So many have their entry removed by hand (default: ${DEFAULT-VALUE}).")
    private int removed = 95;

    @Option(
            names = "--killed",
            paramLabel = "N",
            description = "So many are killed with their process (default: ${DEFAULT-VALUE}).")
    private int killed = 10;

    @Option(
            names = "--cut-off",
            paramLabel = "N",
            description = "So many are cut off from the store, with their process (default: ${DEFAULT-VALUE}).")
    private int cutOff;

    @Option(
            names = "--frozen",
            paramLabel = "N",
            description = "So many are stopped, with their process (default: ${DEFAULT-VALUE}).")
    private int frozen;

    @Option(
            names = "--writes",
            description = "Leaders write, and do not stop before a write is refused; requests are not counted then.")
    private boolean writes;

    @Option(
            names = "--ttl",
            paramLabel = "SECONDS",
            description = "How long sessions live (default: ${DEFAULT-VALUE}).")
    private int ttlSeconds = 4;

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            description = "Where what they tell goes, in a folder of its own (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of("target", "elections");

    private ElectionMain() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        run(new ElectionMain(), args);
    }

    @Override
    public Integer call() throws Exception {
        Map<Cause, Integer> deeds = new EnumMap<>(Cause.class);
        deeds.put(Cause.RESIGNED, resigned);
        deeds.put(Cause.REMOVED, removed);
        deeds.put(Cause.KILLED, killed);
        deeds.put(Cause.CUT_OFF, cutOff);
        deeds.put(Cause.FROZEN, frozen);
        Path its = folder.resolve(store.name().toLowerCase(Locale.ROOT) + "-"
                + ProcessHandle.current().pid());
        ElectionReport report = new ElectionScenario(new ElectionSettings(
                        store, processes, candidates, Duration.ofSeconds(ttlSeconds), deeds, writes, its))
                .play();
        System.out.println(report.summary());
        List<String> violations = report.violations();
        violations.subList(0, Math.min(SHOWN, violations.size())).forEach(System.out::println);
        return finish(violations.isEmpty(), its);
    }
}
