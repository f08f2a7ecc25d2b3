package io.baton.benchmarks.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.benchmarks.RawData;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import picocli.CommandLine;

class PlotTest {

    private static final Path PUBLISHED = Path.of("..", "docs", "measurements", "performance");
    private static final String CONDITIONS = "# one machine; no time";

    @TempDir
    Path docs;

    @TempDir
    Path raw;

    @Test
    void results_asPublished_areThoseOfThePublishedData() throws Exception {
        Map<String, String> published = new TreeMap<>();
        try (Stream<Path> files = Files.list(PUBLISHED)) {
            for (Path file :
                    files.filter(each -> !each.toString().endsWith(".csv")).toList()) {
                published.put(file.getFileName().toString(), Files.readString(file));
            }
        }

        assertThat(published).containsKey("zk-ratios.svg").isEqualTo(PlotCommand.drawn(PUBLISHED));
    }

    @Test
    void ratios_rowsBothWays_lieOnBothSidesOfOneWithTheirMedians() throws Exception {
        write(row("hand-off-8", 0, 100, 50, 100, 80, 100, 70), row("acked", 0, 100, 250, 100, 150, 100, 400));

        Document plot = plot("zk-ratios.svg");

        assertThat(words(plot))
                .contains("zk: passes a second, Baton / Curator", "hand-off-8", "0.70x", "acked", "2.50x");
        List<Double> dots = numbers(plot, "circle", "cx");
        double one = wordAt(plot, "1");
        assertThat(dots.get(0)).isLessThan(one);
        assertThat(dots.get(1)).isGreaterThan(one);
    }

    @Test
    void ratios_ofARow_reachFromTheLeastToTheGreatestRound() throws Exception {
        write(row("acked", 0, 100, 100, 100, 200, 100, 500));

        Document plot = plot("zk-ratios.svg");

        double median = numbers(plot, "circle", "cx").get(0);
        assertThat(median).isEqualTo(wordAt(plot, "2"));
        assertThat(numbers(plot, "line", "x1")).contains(wordAt(plot, "1")).doesNotContain(median + 1);
        assertThat(numbers(plot, "line", "x2")).contains(wordAt(plot, "5"));
    }

    @Test
    void roundTrips_severalForSomeNumbersOfClients_onlyThoseHaveAPanel() throws Exception {
        write(
                row("hand-off-2", 0, 10, 20),
                row("hand-off-8", 0, 400, 300),
                row("hand-off-8-1ms", 1_000_000, 200, 250),
                row("acked", 0, 10, 20),
                row("acked-2ms", 2_000_000, 10, 20));

        Document plot = plot("zk-round-trips.svg");

        assertThat(words(plot)).contains("8 clients", "Curator", "Baton").doesNotContain("2 clients", "1 clients");
        // The peer's, then Baton's; higher up is more.
        List<Double> heights = numbers(plot, "circle", "cy");
        assertThat(heights).hasSize(4);
        assertThat(heights.get(0)).isLessThan(heights.get(2));
        assertThat(heights.get(1)).isGreaterThan(heights.get(3));
    }

    @Test
    void roundTrips_oneOnly_noPlot() throws Exception {
        write(row("hand-off-8", 0, 400, 300));

        assertThat(PlotCommand.drawn(docs)).containsOnlyKeys("zk-ratios.svg", "results.md");
    }

    @Test
    void page_ofASetup_hasItsCommandConditionsTablesAndPlots() throws Exception {
        write(row("hand-off-8", 0, 400, 300), row("acked", 0, 100, 200));

        assertThat(PlotCommand.drawn(docs).get("results.md").lines().map(String::strip))
                .contains("`benchmarks/run --store zk`, beside Curator.", "[Raw data](zk.csv). Conditions:")
                .contains("- one machine;", "no time")
                .contains("![zk-ratios.svg](zk-ratios.svg)")
                // Passes and what each took; then, for hand-offs, half of the passes as changes, and a limit of 2 ms.
                .anyMatch(line -> line.matches("\\| uncontended, release acked +\\| +100 \\| +200 \\| +2.00x .*"))
                .anyMatch(line -> line.matches("\\| hand-offs, 8 clients +\\| +400 \\| +300 \\| +0.75x .*"))
                .anyMatch(line -> line.matches(
                        "\\| hand-offs, 8 clients +\\| +5.00 \\| +2.00 \\| +200 / 150 \\| +0.40 / 0.30 .*"));
    }

    @Test
    void publish_severalFilesOfASetup_replaceItsDataAndAreDrawn() throws Exception {
        write(row("acked", 0, 1, 1));
        Path first = Files.write(raw.resolve("first.csv"), lines(row("hand-off-2", 0, 10, 20)));
        Path second = Files.write(raw.resolve("second.csv"), lines(row("hand-off-8", 0, 10, 20)));

        assertThat(execute(first, second)).isZero();

        assertThat(Files.readAllLines(docs.resolve("zk.csv")))
                .isEqualTo(lines(row("hand-off-2", 0, 10, 20), List.of(CONDITIONS), row("hand-off-8", 0, 10, 20)));
        assertThat(words(parsed(Files.readString(docs.resolve("zk-ratios.svg")))))
                .contains("hand-off-2", "hand-off-8")
                .doesNotContain("acked");
    }

    @Test
    void publish_otherRawData_isRefused() throws Exception {
        Path other = Files.write(raw.resolve("failover.csv"), List.of("store,case,who,round,nanos,kept"));

        assertThat(execute(other)).isNotZero();

        assertThat(docs).isEmptyDirectory();
    }

    @Test
    void publish_fileThatIsNotThere_isRefused() {
        assertThat(execute(raw.resolve("zk.csv"))).isNotZero();
    }

    private int execute(Path... files) {
        var words = new ArrayList<>(List.of("--docs", docs.toString()));
        Stream.of(files).map(Path::toString).forEach(words::add);
        var unread = new PrintWriter(Writer.nullWriter());
        return new CommandLine(new PlotCommand()).setOut(unread).setErr(unread).execute(words.toArray(String[]::new));
    }

    @SafeVarargs
    private void write(List<String>... rows) throws Exception {
        Files.write(docs.resolve("zk.csv"), lines(rows));
    }

    @SafeVarargs
    private static List<String> lines(List<String>... rows) {
        return Stream.concat(
                        Stream.of(RawData.HEAD, CONDITIONS), Stream.of(rows).flatMap(List::stream))
                .toList();
    }

    /** Rounds of a row: the peer's passes a second, then Baton's, and so on. */
    private static List<String> row(String name, long roundTripNanos, long... passes) {
        int clients = name.startsWith("hand-off-") ? Integer.parseInt(name.split("-")[2]) : 1;
        var lines = new ArrayList<String>();
        for (int i = 0; i < passes.length; i++) {
            String side = i % 2 == 0 ? "curator" : "baton";
            lines.add("zk,%s,%d,%d,%d,%s,%d,1000000000,1,1,1,%d,1.000,1,2000000,5000000"
                    .formatted(name, clients, roundTripNanos, i / 2, side, passes[i], passes[i] / 2));
        }
        return lines;
    }

    private Document plot(String name) throws Exception {
        return parsed(PlotCommand.drawn(docs).get(name));
    }

    private static Document parsed(String svg) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> words(Document plot) {
        return all(plot, "text").stream().map(Element::getTextContent).toList();
    }

    /** Where these words stand. */
    private static double wordAt(Document plot, String words) {
        return all(plot, "text").stream()
                .filter(text -> text.getTextContent().equals(words))
                .mapToDouble(text -> Double.parseDouble(text.getAttribute("x")))
                .findFirst()
                .orElseThrow();
    }

    private static List<Double> numbers(Document plot, String element, String attribute) {
        return all(plot, element).stream()
                .map(each -> Double.parseDouble(each.getAttribute(attribute)))
                .toList();
    }

    private static List<Element> all(Document plot, String name) {
        NodeList nodes = plot.getElementsByTagName(name);
        var all = new ArrayList<Element>();
        for (int i = 0; i < nodes.getLength(); i++) {
            all.add((Element) nodes.item(i));
        }
        return all;
    }
}
