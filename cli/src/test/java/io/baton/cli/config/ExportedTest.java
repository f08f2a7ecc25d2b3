package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.cli.Failure;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ExportedTest {

    private static final Map<String, String> ODD = Map.of(
            "timeout", "5s",
            "retries", "010",
            "flag", "yes",
            "nothing", "",
            "null", "null",
            "payments.yaml", "limit: 3\nbank:\n  - a\n  - b\n",
            "spaces ", "  x \t\n",
            "#key=:!", "=a:b#c\\",
            "\u00e9\u65e5", "\u001b[31m \ud83d\ude00 \"quoted\" 'single'",
            "lines", "a\r\nb\n\n");

    @ParameterizedTest
    @EnumSource
    void read_whatWasWritten_isTheSame(Format format) {
        var values = new TreeMap<>(ODD);
        assertThat(Exported.read(Exported.write(values, format), format)).isEqualTo(values);
        assertThat(Exported.read(Exported.write(new TreeMap<>(), format), format))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void write_twice_isTheSameText(Format format) {
        var values = new TreeMap<>(ODD);
        assertThat(Exported.write(values, format)).isEqualTo(Exported.write(new TreeMap<>(values), format));
    }

    @ParameterizedTest
    @CsvSource({
        "json, '{\"a\": hunter2}', 'line 1, column '",
        "json, '{\"a\": \"hunter2\", \"a\": \"hunter2\"}', 'line 1, column '",
        "json, '[\"hunter2\"]', 'line 1, column '",
        "json, '{\"a\": {\"b\": \"hunter2\"}}', \"the value of 'a' is no string\"",
        "json, '{\"a\": 5}', \"the value of 'a' is no string\"",
        "yaml, 'a: [hunter2', 'column '",
        "yaml, 'hunter2', 'line 1'",
        "properties, 'a=hunter2\\u00zz', 'no properties'"
    })
    void read_malformed_saysWhereAndQuotesNothing(Format format, String text, String why) {
        assertThatThrownBy(() -> Exported.read(text, format))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(why.replace("\"", ""))
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("hunter2"));
    }
}
