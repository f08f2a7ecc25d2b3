package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentsTest {

    record Settings(Map<String, String> a) {}

    static Stream<Arguments> malformed() {
        String deepJson = "{\"a\":".repeat(100) + "1" + "}".repeat(100);
        String deepYaml = "a: " + "[".repeat(100) + "]".repeat(100);
        return Stream.of(
                Arguments.of("json", "", "is empty"),
                Arguments.of("json", "   ", "is empty"),
                Arguments.of("json", "{\"a\":", "ends too early"),
                Arguments.of("json", "{\"a\":1", "ends too early"),
                Arguments.of("json", "{'a':1}", "is not valid JSON"),
                Arguments.of("json", "{\"a\":1,}", "is not valid JSON"),
                Arguments.of("json", "{\"a\":01}", "is not valid JSON"),
                Arguments.of("json", "{\"a\":NaN}", "is not valid JSON"),
                Arguments.of("json", "{} {}", "goes on after its end"),
                Arguments.of("json", "{}x", "is not valid JSON"),
                Arguments.of("json", "{\"a\":{\"b\":1,\"b\":2}}", "has the same name twice"),
                Arguments.of("json", "// no\n{}", "is not valid JSON"),
                Arguments.of("json", deepJson, "is too deep"),
                Arguments.of("yaml", deepYaml, "is too deep"),
                Arguments.of("yaml", "a: b: c", "is not valid YAML"),
                Arguments.of("yaml", "a: 1\n" + "b".repeat(300_000), "has a line of more than 262144 characters"),
                Arguments.of("yaml", "# a\n# b\n" + "b".repeat(300_000), "line 3, column 1)"),
                Arguments.of("yaml", "b".repeat(262_145), "has a line of more than 262144 characters"),
                Arguments.of("yaml", "a: [1", "is not valid YAML"),
                Arguments.of("yaml", "a: 'x", "is not valid YAML"),
                Arguments.of("yaml", "\ta: 1", "is not valid YAML"),
                Arguments.of("yaml", "a: {b: 1}\na: {b: 2}", "has the same name twice"),
                Arguments.of("yaml", "a: {b: 1}\n---\na: {b: 2}", "goes on after its end"),
                Arguments.of("yaml", "a: &x {b: 1}\nc: *x", "has an alias"),
                Arguments.of("yaml", "a: &x [b]\nc: [*x, *x]", "has an alias"),
                Arguments.of("yaml", "a: !!javax.script.ScriptEngineManager [x]", "has a tag"),
                Arguments.of("yaml", "a: {b: !secret x}", "has a tag"),
                Arguments.of("properties", "a.b=\\u00zz", "is not a valid properties document"),
                Arguments.of("properties", "a.b=1\na.b=2", "has the same name twice"),
                Arguments.of("properties", "a..b=1", "has a name that is no path"),
                Arguments.of("properties", "=1", "has a name that is no path"),
                Arguments.of("properties", "a.".repeat(100) + "b=1", "has a name that is no path"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void bind_malformed_saysWhichKeyAndWhere(String ending, String text, String expected) {
        Layers layers = Given.layers("payments." + ending, text);

        assertThat(Given.refused(Settings.class, layers))
                .startsWith("payments." + ending + " ")
                .contains(expected)
                .contains("(store: payments." + ending + " @1");
    }

    @Test
    void bind_malformedInALaterLine_saysTheLine() {
        assertThat(Given.refused(Settings.class, Given.layers("payments.json", "{\n\"a\":\n{]}")))
                .contains("line 3");
        assertThat(Given.refused(Settings.class, Given.layers("payments.yaml", "a:\n  b: 1\n c: 2\n")))
                .contains("line 3");
    }

    @Test
    void bind_tooLarge_isRefused() {
        String text = "{\"a\":{\"b\":\"" + "x".repeat(Documents.MOST_CHARACTERS) + "\"}}";

        assertThat(Given.refused(Settings.class, Given.layers("payments.json", text)))
                .contains("has more than 4194304 characters");
    }

    @Test
    void bind_manyAliases_isRefusedWithoutExpandingThem() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for (int level = 1; level < 30; level++) {
            String former = "*a" + (level - 1);
            bomb.append("a").append(level).append(": &a").append(level).append(" [");
            bomb.append(String.join(",", List.of(former, former, former, former)))
                    .append("]\n");
        }

        assertThat(Given.refused(Settings.class, Given.layers("payments.yaml", bomb.toString())))
                .contains("has an alias");
    }

    @Test
    void bind_sameContentInEachFormat_isTheSame() {
        Settings expected = new Settings(Map.of("b", "1", "c", "x y"));

        assertThat(Given.bind(Settings.class, "json", "\uFEFF{\"a\":{\"b\":1,\"c\":\"x y\"}}"))
                .isEqualTo(expected);
        assertThat(Given.bind(Settings.class, "yaml", "# c\na:\n  b: 1\n  c: x y\n"))
                .isEqualTo(expected);
        assertThat(Given.bind(Settings.class, "yml", "a: {b: 1, c: 'x y'}")).isEqualTo(expected);
        assertThat(Given.bind(Settings.class, "properties", "a.b = 1\na.c=x y\n"))
                .isEqualTo(expected);
    }

    @Test
    void bind_yamlOfManyLongLinesAndOneAsLongAsCanBe_isTaken() {
        String lines = ("# " + "x".repeat(200_000) + "\n").repeat(3);
        String longest = "#" + "x".repeat(Documents.LONGEST_LINE - 1) + "\n";

        assertThat(Given.bind(Settings.class, "yaml", lines + longest + "a: {b: 1}"))
                .isEqualTo(new Settings(Map.of("b", "1")));
    }

    @Test
    void annotation_quotedText_isWhatStandsInTheQuotes() {
        DocumentTree quoted = Documents.annotation("'5 m'  # minutes", Origin.of("defaults", "here"));

        assertThat(quoted.value())
                .isInstanceOfSatisfying(
                        Value.Scalar.class, text -> assertThat(text.text()).isEqualTo("5 m"));
    }
}
