package io.baton.benchmarks.plot;

import io.baton.benchmarks.Played;
import io.baton.benchmarks.RawData;
import io.baton.benchmarks.Setup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Publishes raw data, and draws all that is published. */
@Command(
        name = "plot",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Publishes raw data of locks in docs/measurements/performance, and draws all that lies there.",
            "",
            "Of each setup (store, servers, fsync, processes) there are",
            "  SETUP.csv              the raw data",
            "  SETUP-ratios.svg       each row's ratios to the other library",
            "  SETUP-round-trips.svg  hand-offs over the network's round trip",
            "and of all of them",
            "  results.md             conditions, tables and plots",
            ""
        })
public final class PlotCommand implements Callable<Integer> {

    private static final String CSV = ".csv";

    @Parameters(
            paramLabel = "FILE",
            description = "Raw data to publish, such as benchmarks/target/results/zk-20260101-120000.csv; several of a"
                    + " setup are put together. Replaces what is published of the same setup. Draws only if no file is"
                    + " named.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--docs", paramLabel = "DIR", description = "Where all that lies (default: ${DEFAULT-VALUE}).")
    private Path docs = Path.of("docs", "measurements", "performance");

    @Spec
    private CommandSpec spec;

    /** Filled by its options. */
    public PlotCommand() {}

    @Override
    public Integer call() throws IOException {
        Map<String, List<String>> bySetup = bySetup();
        Files.createDirectories(docs);
        for (Map.Entry<String, List<String>> setup : bySetup.entrySet()) {
            Files.write(docs.resolve(setup.getKey() + CSV), setup.getValue());
        }
        for (Map.Entry<String, String> each : drawn(docs).entrySet()) {
            Path file = docs.resolve(each.getKey());
            Files.writeString(file, each.getValue());
            spec.commandLine().getOut().println(file.normalize());
        }
        return 0;
    }

    /** All that is drawn of the data in this folder, by the names of the files. */
    static Map<String, String> drawn(Path data) throws IOException {
        var drawn = new TreeMap<String, String>();
        var page = new ResultPage();
        try (Stream<Path> published = Files.list(data)) {
            for (Path file : published.sorted().filter(PlotCommand::isData).toList()) {
                List<String> lines = Files.readAllLines(file);
                Setup setup = Setup.parse(file.getFileName().toString().replace(CSV, ""));
                List<Played> rows = RawData.parse(setup, lines);
                var plots = new LinkedHashMap<String, String>();
                plots.put(setup.name() + "-ratios.svg", RatioPlot.draw(setup, rows));
                RoundTripPlot.draw(setup, rows).ifPresent(plot -> plots.put(setup.name() + "-round-trips.svg", plot));
                page.add(setup, lines, rows, plots.keySet());
                drawn.putAll(plots);
            }
        }
        drawn.put("results.md", page.toString());
        return drawn;
    }

    private static boolean isData(Path file) {
        return file.toString().endsWith(CSV);
    }

    /** The lines to publish, by the setups' names. */
    private Map<String, List<String>> bySetup() throws IOException {
        var bySetup = new TreeMap<String, List<String>>();
        for (Path file : files) {
            List<String> lines = Files.isRegularFile(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() < 3 || !lines.get(0).equals(RawData.HEAD)) {
                throw new ParameterException(spec.commandLine(), "not raw data of locks: " + file);
            }
            String last = lines.get(lines.size() - 1);
            bySetup.computeIfAbsent(
                            last.substring(0, last.indexOf(',')), setup -> new ArrayList<>(List.of(RawData.HEAD)))
                    .addAll(lines.subList(1, lines.size()));
        }
        return bySetup;
    }
}
