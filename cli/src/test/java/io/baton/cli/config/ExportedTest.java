package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.cli.Failure;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
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
    private static final TreeSet<String> MARKS = new TreeSet<>(Set.of("timeout", "left, \"out\"", "\u00e9\u65e5"));

    @ParameterizedTest
    @EnumSource
    void read_whatWasWritten_isTheSame(FileFormat format) {
        for (TreeSet<String> secrets : List.of(new TreeSet<String>(), MARKS)) {
            var all = new Exported(new TreeMap<>(ODD), secrets);
            assertThat(Exported.read(all.write(format), format)).isEqualTo(all);
        }
        var nothing = new Exported(new TreeMap<>(), new TreeSet<>());
        assertThat(Exported.read(nothing.write(format), format)).isEqualTo(nothing);
    }

    @ParameterizedTest
    @EnumSource
    void read_anyLineEndsAndControls_areAsTheyWere(FileFormat format) {
        String[] odd = {
            "\n", "\r", "\u0085", "\u2028", "\u2029", " ", "\t", "\ufeff", "\u000b", "\u009f", "#", ":", "a", "'", "\"",
            "\\"
        };
        var random = new SplittableRandom(4711);
        for (int i = 0; i < 2_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(8); length > 0; length--) {
                text.append(odd[random.nextInt(odd.length)]);
            }
            var all = new Exported(new TreeMap<>(Map.of("a", text.toString())), new TreeSet<>());
            assertThat(Exported.read(all.write(format), format).values().get("a"))
                    .isEqualTo(text.toString());
        }
    }

    @ParameterizedTest
    @EnumSource
    void read_manyLargeValues_areThere(FileFormat format) {
        var values = new TreeMap<String, String>();
        for (int i = 0; i < 100; i++) {
            values.put("key-" + i, ("line " + i + "\n").repeat(10_000));
        }
        var all = new Exported(values, new TreeSet<>());
        assertThat(Exported.read(all.write(format), format)).isEqualTo(all);
    }

    @ParameterizedTest
    @EnumSource
    void write_twice_isTheSameText(FileFormat format) {
        assertThat(new Exported(new TreeMap<>(ODD), MARKS).write(format))
                .isEqualTo(new Exported(new TreeMap<>(new TreeMap<>(ODD)), MARKS).write(format));
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
        "properties, 'a=hunter2\\u00zz', 'no properties'",
        "properties, '$secrets=hunter2', \"the value of '$secrets' is no list of keys\"",
        "json, '{\"$secrets\": {\"a\": \"hunter2\"}}', \"the value of '$secrets' is no list of keys\"",
        "json, '{\"$secrets\": null}', \"the value of '$secrets' is no list of keys\"",
        "json, '{\"$secrets\": [null]}', \"the value of '$secrets' is no list of keys\"",
        "properties, '$secrets=null', \"the value of '$secrets' is no list of keys\"",
        "properties, '$secrets=[] hunter2', \"the value of '$secrets' is no list of keys\"",
        "json, '{\"a\": \"1\"} hunter2', 'line 1, column '",
        "json, '{\"a\": \"1\"}\n{\"b\": \"hunter2\"}', 'line 2, column '",
        "json, 'null', 'is no json of keys and values'",
        "json, ' ', 'is no json of keys and values'",
        "yaml, 'a: x\n---\nb: hunter2', 'line 3, column '",
        "yaml, 'a: x\n---\n', 'is no yaml of keys and values'",
        "yaml, '---', 'is no yaml of keys and values'"
    })
    void read_malformed_saysWhereAndQuotesNothing(FileFormat format, String text, String why) {
        assertThatThrownBy(() -> Exported.read(text, format))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(why.replace("\"", ""))
                .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("hunter2"));
    }
}
