package io.baton.benchmarks.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** Draws what is published, and publishes more. */
@Command(
        name = "plot",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Publishes raw data of locks in docs/measurements/data, and draws all that lies there into"
                    + " docs/measurements/plots, as SVG.",
            "",
            "Of each setup (store, servers, fsync, processes) there is one file of data, and",
            "  SETUP-ratios.svg       for each row the least, the median and the greatest ratio to the peer",
            "  SETUP-round-trips.svg  hand-offs a second over the network's round trip",
            ""
        })
public final class PlotCommand implements Callable<Integer> {

    private static final String CSV = ".csv";

    @Parameters(
            paramLabel = "FILE",
            description =
                    "Raw data to publish, such as benchmarks/target/results/zk-20260101-120000.csv. Replaces what is"
                            + " published of the same setup. Draws only if no file is named.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--docs", paramLabel = "DIR", description = "Where data and plots lie (default: ${DEFAULT-VALUE}).")
    private Path docs = Path.of("docs", "measurements");

    @Spec
    private CommandSpec spec;

    /** Filled by its options. */
    public PlotCommand() {}

    @Override
    public Integer call() throws IOException {
        publish();
        Path plots = Files.createDirectories(docs.resolve("plots"));
        for (Map.Entry<String, String> plot : plots(docs.resolve("data")).entrySet()) {
            Path file = plots.resolve(plot.getKey());
            Files.writeString(file, plot.getValue());
            System.out.println(file.normalize());
        }
        return 0;
    }

    /** All plots of this data, by the names of their files. */
    static Map<String, String> plots(Path data) throws IOException {
        var plots = new TreeMap<String, String>();
        try (Stream<Path> published = Files.list(data)) {
            for (Path file : published.sorted().toList()) {
                String setup = file.getFileName().toString().replace(CSV, "");
                List<RowRounds> rows = RowRounds.of(SideRound.parse(Files.readAllLines(file)));
                plots.put(setup + "-ratios.svg", RatioPlot.draw(setup, rows));
                RoundTripPlot.draw(setup, rows).ifPresent(plot -> plots.put(setup + "-round-trips.svg", plot));
            }
        }
        return plots;
    }

    private void publish() throws IOException {
        var bySetup = new TreeMap<String, List<String>>();
        for (Path file : files) {
            List<String> lines = Files.readAllLines(file);
            if (!lines.get(0).startsWith("setup,row,")) {
                throw new ParameterException(spec.commandLine(), "not raw data of locks: " + file);
            }
            for (String line : lines.subList(1, lines.size())) {
                bySetup.computeIfAbsent(
                                line.substring(0, line.indexOf(',')), setup -> new ArrayList<>(lines.subList(0, 1)))
                        .add(line);
            }
        }
        Path data = Files.createDirectories(docs.resolve("data"));
        for (Map.Entry<String, List<String>> setup : bySetup.entrySet()) {
            Files.write(data.resolve(setup.getKey() + CSV), setup.getValue());
        }
    }
}
