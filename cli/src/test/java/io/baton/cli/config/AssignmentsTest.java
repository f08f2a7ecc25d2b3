package io.baton.cli.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.cli.Failure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AssignmentsTest {

    @TempDir
    Path directory;

    @Test
    void parse_keyAndValue_isOne() {
        assertThat(parse("url", "http://h/?a=b")).isEqualTo(Map.of("url", "http://h/?a=b"));
    }

    @Test
    void parse_pairs_areSplitAtTheFirstSign() {
        assertThat(parse("url=http://h/?a=b", "empty=")).isEqualTo(Map.of("url", "http://h/?a=b", "empty", ""));
    }

    @Test
    void parse_twoAtSigns_areOne() {
        assertThat(parse("a", "@@home")).isEqualTo(Map.of("a", "@home"));
        assertThat(parse("a=@@home")).isEqualTo(Map.of("a", "@home"));
    }

    @ParameterizedTest
    @CsvSource({
        "5s, 5s",
        "'5s\n', 5s",
        "'5s\r\n', 5s",
        "'a: 1\nb: 2\n', 'a: 1\nb: 2\n'",
        "'\n\n', '\n\n'",
        "'  x ', '  x '"
    })
    void parse_stdinAndFile_loseTheLineEndOfASingleLineOnly(String written, String value) throws IOException {
        Path file = Files.writeString(directory.resolve("value"), written);
        assertThat(Assignments.parse(List.of("a", "-"), new ByteArrayInputStream(written.getBytes(UTF_8))))
                .isEqualTo(Map.of("a", value));
        assertThat(parse("a=@" + file)).isEqualTo(Map.of("a", value));
    }

    @Test
    void parse_binary_isRefused() throws IOException {
        Path file = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 0});
        assertThatThrownBy(() -> parse("a", "@" + file))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("no text in UTF-8");
    }

    @Test
    void parse_whatMayBeSecret_isNotQuoted() {
        for (String[] wrong : List.of(
                new String[] {"a", "hunter2", "x"},
                new String[] {"a=hunter2", "hunter2"},
                new String[] {"a=hunter2", "a=hunter2"},
                new String[] {"a", "@hunter2"})) {
            assertThatThrownBy(() -> parse(wrong))
                    .isInstanceOf(Failure.class)
                    .satisfies(refused -> assertThat(refused.getMessage()).doesNotContain("hunter2"));
        }
    }

    private static Map<String, String> parse(String... args) {
        return Assignments.parse(List.of(args), new ByteArrayInputStream(new byte[0]));
    }
}
