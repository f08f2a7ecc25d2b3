package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that the documents name as showing something exist, under these very names. */
class DocumentedTestsTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private static final String BUGS = "## Known bugs";

    /** A row of a table: the cells before the one for tests, and that one. */
    private record Row(List<String> cells, String tests) {

        List<String> named() {
            return CODE.matcher(tests).results().map(code -> code.group(1)).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/correctness.md", "docs/rules.md", "docs/guarantees.md"})
    void tables_everyTestTheyName_exists(String document) throws IOException {
        TestNames tests = TestNames.below(ROOT);
        List<String> named = rows(Files.readString(ROOT.resolve(document))).stream()
                .flatMap(row -> row.named().stream())
                .toList();
        assertThat(named)
                .hasSizeGreaterThan(50)
                .allSatisfy(name -> assertThat(tests.have(name) || Files.isDirectory(ROOT.resolve(name)))
                        .as(name)
                        .isTrue());
    }

    @Test
    void knownBugs_everyRow_namesExactTestsOrSaysNotCovered() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/correctness.md"));
        List<Row> bugs = rows(document.substring(document.indexOf(BUGS)));
        assertThat(bugs).hasSizeGreaterThanOrEqualTo(36).allSatisfy(bug -> {
            assertThat(bug.cells()).as(bug.toString()).hasSize(4).doesNotContain("");
            assertThat(bug.named()).as(bug.toString()).allMatch(name -> name.matches("[A-Z]\\w+\\.[a-z]\\w+"));
            boolean covered = !bug.named().isEmpty();
            assertThat(covered || bug.cells().get(3).startsWith("not covered: "))
                    .as(bug.toString())
                    .isTrue();
        });
    }

    /** The rows of all tables that have a column headed "tests". */
    private static List<Row> rows(String document) {
        var rows = new ArrayList<Row>();
        int column = -1;
        for (String line : document.lines().toList()) {
            if (!line.startsWith("|")) {
                column = -1;
                continue;
            }
            List<String> cells = cells(line);
            if (column < 0) {
                column = cells.contains("tests") ? cells.indexOf("tests") : Integer.MAX_VALUE;
            } else if (column < cells.size() && !line.startsWith("|---")) {
                rows.add(new Row(cells.subList(0, column), cells.get(column)));
            }
        }
        return rows;
    }

    private static List<String> cells(String line) {
        String inner = line.strip().replaceAll("^\\||\\|$", "");
        return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
    }
}
