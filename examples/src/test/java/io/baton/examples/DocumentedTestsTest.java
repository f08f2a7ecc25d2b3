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

    private static final Path KNOWN_BUGS = ROOT.resolve("docs/internals/known-bugs.md");
    private static final String BUGS = "## Known bugs of other projects";

    /** A row of a table: the cells before the one that names tests, or commands, and that one. */
    private record Row(List<String> cells, String tests) {

        List<String> named() {
            return CODE.matcher(tests).results().map(code -> code.group(1)).toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/internals/verification.md", "docs/internals/rules.md", "docs/guarantees.md"})
    void tables_everyTestTheyName_exists(String document) throws IOException {
        TestNames tests = TestNames.below(ROOT);
        List<String> named = rows(Files.readString(ROOT.resolve(document)), "tests").stream()
                .flatMap(row -> row.named().stream())
                .toList();
        assertThat(named)
                .hasSizeGreaterThan(50)
                .allSatisfy(name -> assertThat(tests.have(name) || Files.isDirectory(ROOT.resolve(name)))
                        .as(name)
                        .isTrue());
    }

    @Test
    void curatorsTests_everyTestOfOurs_exists() throws IOException {
        TestNames tests = TestNames.below(ROOT);
        String document = Files.readString(ROOT.resolve("docs/internals/curator-tests.md"));
        List<String> named = rows(document, "here").stream()
                .flatMap(row -> row.named().stream())
                .filter(name -> name.matches("[A-Z]\\w+\\.[a-z]\\w+"))
                .toList();
        assertThat(named)
                .hasSizeGreaterThan(50)
                .allSatisfy(name -> assertThat(tests.have(name)).as(name).isTrue());
    }

    @Test
    void knownBugs_everyRow_namesExactTestsOrSaysNotCovered() throws IOException {
        String document = Files.readString(KNOWN_BUGS);
        List<Row> bugs = rows(document.substring(document.indexOf(BUGS)), "tests");
        assertThat(bugs).hasSizeGreaterThanOrEqualTo(36).allSatisfy(bug -> {
            assertThat(bug.cells()).as(bug.toString()).hasSize(4).doesNotContain("");
            assertThat(bug.named()).as(bug.toString()).allMatch(name -> name.matches("[A-Z]\\w+\\.[a-z]\\w+"));
            boolean covered = !bug.named().isEmpty();
            assertThat(covered || bug.cells().get(3).startsWith("not covered: "))
                    .as(bug.toString())
                    .isTrue();
        });
    }

    @Test
    void knownBugs_ofBaton_eachHasTheCommandThatShowsItGone() throws IOException {
        List<Row> bugs = rows(Files.readString(KNOWN_BUGS), "shown by");
        assertThat(bugs)
                .hasSizeGreaterThanOrEqualTo(38)
                .allSatisfy(bug -> assertThat(bug.named())
                        .as(bug.toString())
                        .anyMatch(command -> command.startsWith("tools/test ") || command.startsWith("./simulate ")));
    }

    /** The rows of all tables that have a column of this name. */
    private static List<Row> rows(String document, String name) {
        var rows = new ArrayList<Row>();
        int column = -1;
        for (String line : document.lines().toList()) {
            if (!line.startsWith("|")) {
                column = -1;
                continue;
            }
            List<String> cells = cells(line);
            if (column < 0) {
                column = cells.contains(name) ? cells.indexOf(name) : Integer.MAX_VALUE;
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
