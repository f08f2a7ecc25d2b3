package io.baton.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What {@code baton doctor --json} found. */
final class Findings {

    private final Captured run;
    private final JsonNode all;

    private Findings(Captured run) {
        this.run = run;
        assertThat(run.err()).isEmpty();
        try {
            all = new ObjectMapper().readTree(run.out());
        } catch (JsonProcessingException broken) {
            throw new AssertionError(run.out(), broken);
        }
    }

    static Findings of(String uri, String... args) {
        List<String> line = new ArrayList<>(List.of("doctor", "--json", "--connect", uri));
        line.addAll(List.of(args));
        return new Findings(Captured.run(line.toArray(String[]::new)));
    }

    /** What it finds in a process of its own, whose wall clock is an hour ahead; its output goes to this directory. */
    static Findings anHourAhead(Path directory, String uri) throws InterruptedException {
        String library = System.getenv("BATON_FAKETIME");
        assertThat(library)
                .as("no libfaketime: run ./verify, which fetches it, or export BATON_FAKETIME=$(tools/faketime);"
                        + " ./verify --without-faketime leaves these tests out")
                .isNotBlank();
        Map<String, String> clock = Map.of(
                "LD_PRELOAD", library,
                "FAKETIME", "+3600",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Otherwise timed waits of a JVM end at any time, early or late.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
        List<String> line = List.of("doctor", "--json", "--connect", uri);
        try (BatonProcess baton = BatonProcess.start(directory, clock, line)) {
            return new Findings(new Captured(baton.status(), baton.out(), baton.err()));
        }
    }

    /** All that is not as it should be. */
    List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        all.at("/findings").forEach(each -> {
            if (!each.at("/level").asText().equals("ok")) {
                wrong.add(text(each));
            }
        });
        return wrong;
    }

    /** There is such a finding of this level, whose text and remedy say this. */
    Findings has(String level, String check, String... says) {
        List<String> found = new ArrayList<>();
        all.at("/findings").forEach(each -> {
            if (each.at("/check").asText().equals(check)) {
                found.add(text(each));
            }
        });
        assertThat(found).as(run.out()).anySatisfy(text -> {
            assertThat(text).startsWith(level + " ");
            for (String part : says) {
                assertThat(text).contains(part);
            }
        });
        return this;
    }

    /** It ended so: 0 without a problem, else 1. */
    Findings status(int expected) {
        assertThat(run.status()).as(run.out()).isEqualTo(expected);
        return this;
    }

    private static String text(JsonNode finding) {
        return finding.at("/level").asText() + " " + finding.at("/check").asText() + ": "
                + finding.at("/what").asText() + " -> " + finding.at("/todo").asText();
    }
}
