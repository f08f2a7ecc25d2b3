package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How names are written, compared and guessed. */
class KeyNamesTest {

    @ParameterizedTest
    @CsvSource({
        "retryLimit, retrylimit",
        "retry-limit, retrylimit",
        "RETRY_LIMIT, retrylimit",
        "a-b_c.D, abc.d",
        "_a, a",
        "-a, a",
        "b-, b",
        "plain, plain"
    })
    void canonical_anySpelling_isTheSame(String name, String expected) {
        assertThat(KeyNames.canonical(name)).isEqualTo(expected);
    }

    @Test
    void segments_path_areItsNames() {
        assertThat(KeyNames.segments("")).isEmpty();
        assertThat(KeyNames.segments("a")).containsExactly("a");
        assertThat(KeyNames.segments("a.b")).containsExactly("a", "b");
        assertThat(KeyNames.segments("a..b.")).containsExactly("a", "", "b", "");
    }

    @Test
    void join_nameBelowAPath_isDividedByADot() {
        assertThat(KeyNames.join("a.b", "c")).isEqualTo("a.b.c");
        assertThat(KeyNames.join("", "c")).isEqualTo("c");
        assertThat(KeyNames.item("a.b", 3)).isEqualTo("a.b[3]");
    }

    @Test
    void shown_nameThatMayBeASecret_isOnlyCounted() {
        assertThat(KeyNames.shown("retry-limit 2")).isEqualTo("retry-limit 2");
        assertThat(KeyNames.shown("x".repeat(40))).isEqualTo("x".repeat(40));
        assertThat(KeyNames.shown("x".repeat(41))).isEqualTo("(a name of 41 characters)");
        assertThat(KeyNames.shown("a\nb")).isEqualTo("(a name of 3 characters)");
    }

    @ParameterizedTest
    @CsvSource({
        // One or two letters more, fewer, or others.
        "limt, limit",
        "limiit, limit",
        "lemit, limit",
        "lemmit, limit",
        "imit, limit",
        "xximit, limit",
        "LI-MIT, limit",
        "timeoat, time-out",
        "orl, url",
        "url, url"
    })
    void nearest_almostTheSame_isFound(String name, String expected) {
        assertThat(KeyNames.nearest(name, List.of("limit", "time-out", "url"))).contains(expected);
    }

    @ParameterizedTest
    @CsvSource({"lmt00, limit", "limitabc, limit", "li, limit", "x, y", "ab, cd", "ab, xxab", "abc, xyc", "imi, limit"})
    void nearest_tooDifferent_isNone(String name, String known) {
        assertThat(KeyNames.nearest(name, List.of(known))).isEmpty();
    }

    @Test
    void nearest_several_isTheClosestAndTheFirstOfEquals() {
        assertThat(KeyNames.nearest("limits", List.of("lim-ix", "limit", "limita")))
                .contains("limit");
        assertThat(KeyNames.nearest("limit", List.of("limix", "limiy"))).contains("limix");
        assertThat(KeyNames.nearest("limit", List.of("limixx", "limix"))).contains("limix");
        assertThat(KeyNames.nearest("limit", List.of("limi", "limit"))).contains("limit");
        assertThat(KeyNames.nearest("limit", List.of())).isEmpty();
    }

    @Test
    void nearest_shortName_mayDifferInFewerLetters() {
        // A name of one letter has to be the same, one of two or three may differ in one letter.
        assertThat(KeyNames.nearest("a", List.of("a"))).contains("a");
        assertThat(KeyNames.nearest("a", List.of("b"))).isEmpty();
        assertThat(KeyNames.nearest("ab", List.of("ac"))).contains("ac");
        assertThat(KeyNames.nearest("abc", List.of("abd"))).contains("abd");
        assertThat(KeyNames.nearest("abc", List.of("ade"))).isEmpty();
        assertThat(KeyNames.nearest("abcd", List.of("abef"))).contains("abef");
        assertThat(KeyNames.nearest("abcdef", List.of("abcxyz"))).isEmpty();
    }
}
