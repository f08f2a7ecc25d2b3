package io.baton.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.inspect.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsOutputTest {

    private static final FindingsOutput OUTPUT = new FindingsOutput(
            "zk://h1:2181/app",
            List.of(
                    Finding.ok("servers", "all serve"),
                    Finding.warning("quotas", "nearly used", "raise it"),
                    Finding.problem("tick", "it \"differs\"\u001b[31m", "write ?tick=2s"),
                    Finding.unknown("clock", "not told", "")));

    @Test
    void lines_findings_areTheWorstFirstWithWhatToDo() {
        assertThat(OUTPUT.lines())
                .containsExactly(
                        "zk://h1:2181/app: 1 problem, 1 warning, 1 unknown, 1 ok",
                        "",
                        "  problem  tick: it \"differs\"\\u001b[31m",
                        "           -> write ?tick=2s",
                        "  warning  quotas: nearly used",
                        "           -> raise it",
                        "  unknown  clock: not told",
                        "  ok       servers: all serve");
        assertThat(OUTPUT.wrong()).isTrue();
    }

    @Test
    void wrong_warningsOnly_isNot() {
        assertThat(new FindingsOutput("zk://h/a", List.of(Finding.warning("a", "b", "c"))).wrong())
                .isFalse();
    }

    @Test
    void json_findings_areOneObject() {
        assertThat(OUTPUT.json())
                .startsWith(
                        "{\"store\":\"zk://h1:2181/app\",\"problems\":1,\"warnings\":1,\"unknown\":1,\"findings\":[")
                .contains("{\"level\":\"problem\",\"check\":\"tick\",\"what\":\"it \\\"differs\\\"\\u001b[31m\","
                        + "\"todo\":\"write ?tick=2s\"}")
                .endsWith("{\"level\":\"ok\",\"check\":\"servers\",\"what\":\"all serve\",\"todo\":null}]}");
    }
}
