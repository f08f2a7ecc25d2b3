package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
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
    void joined_anyLineEndsAndBlanks_becomeOneMark() {
        var random = new Random(5);
        String signs = "a b \t\n\r\u000b\f\u0085\u2028\u2029";
        for (int i = 0; i < 10_000; i++) {
            var text = new StringBuilder();
            random.ints(random.nextInt(12), 0, signs.length()).forEach(at -> text.append(signs.charAt(at)));

            assertThat(Text.joined(text, "|"))
                    .isEqualTo(text.toString().replaceAll("[\\s\u0085\u2028\u2029]*\\R[\\s\u0085\u2028\u2029]*", "|"));
        }
    }

    /** However many blanks there are, each is looked at a few times. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "\t", "a ", " \n", "\n"})
    void joined_aLongValue_isReadInLinearTime(String of) {
        var reads = new AtomicLong();
        String text = of.repeat(100_000);

        Text.joined(new Counting(text, reads), "|");

        assertThat(reads.get()).isLessThan(3L * text.length());
    }

    private record Counting(String text, AtomicLong reads) implements CharSequence {

        @Override
        public char charAt(int index) {
            reads.incrementAndGet();
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counting(text.substring(start, end), reads);
        }

        @Override
        public String toString() {
            return text;
        }
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
