package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"\u001b[2J", "\u0007", "\u009b31m", "a\u202eb", "\u2028", "\u0000", "\udbff\udfff", "\u200d"})
    void visible_whatATerminalWouldObey_isShownInstead(String text) {
        assertThat(Text.visible(text)).containsPattern("\\\\u[0-9a-f]{4}").matches("\\p{Print}*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "\u00e4", "a\u0308", "\u65e5\u672c", "\ud83d\udd12", "\u05d0"})
    void visible_whatIsJustText_staysAsItIs(String text) {
        assertThat(Text.visible(text)).isEqualTo(text);
    }

    @Test
    void line_severalLines_becomeOne() {
        assertThat(Text.line(" one \r\n  two\nthree\n")).isEqualTo("one; two; three");
    }

    @Test
    void line_endlessText_isCut() {
        assertThat(Text.line("\ud83d\udd12".repeat(100_000)))
                .hasSizeLessThan(1_300)
                .endsWith("...");
    }

    @Test
    void columns_wideAndCombiningSigns_areCountedAsTheyAreShown() {
        assertThat(Text.columns("abc")).isEqualTo(3);
        assertThat(Text.columns("a\u0308")).isEqualTo(1);
        assertThat(Text.columns("\u65e5\u672c")).isEqualTo(4);
        assertThat(Text.columns("\ud83d\udd12")).isEqualTo(2);
    }
}
