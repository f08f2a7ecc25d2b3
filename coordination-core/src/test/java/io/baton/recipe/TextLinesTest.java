package io.baton.recipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lines of which the records of elections consist: any text is read as it was written. */
class TextLinesTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(TextLines lines) {
        return new String(lines.bytes(), StandardCharsets.UTF_8);
    }

    @Test
    void decode_whatWasAdded_isTheSame() {
        for (String value :
                new String[] {"", "plain", "a=b", "two\nlines\r\n", "100%", "%3D %0A", "%25", "\u043a\u043b"}) {
            byte[] lines =
                    new TextLines().add("key", value).add("k=\n%", "other").bytes();
            assertThat(TextLines.decode(lines))
                    .containsExactlyInAnyOrderEntriesOf(Map.of("key", value, "k=\n%", "other"));
        }
    }

    @Test
    void add_textThatIsNoLine_isEncoded() {
        assertThat(text(new TextLines().add("a", "x=1\n2\r3%"))).isEqualTo("a=x%3D1%0A2%0D3%25\n");
    }

    @Test
    void begins_withWhatWasThere_notLookedInto() {
        assertThat(text(new TextLines(bytes("host=h\n")).add("id", "1"))).isEqualTo("host=h\nid=1\n");
    }

    @Test
    void decode_whatIsNoSuchLine_isLeftOut() {
        assertThat(TextLines.decode(bytes("no line\n=nameless\n\na=1\nb=\na=2\nc=3")))
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", "2", "b", "", "c", "3"));
        assertThat(TextLines.decode(new byte[0])).isEmpty();
    }

    @Test
    void number_whatIsNone_isZero() {
        assertThat(TextLines.number("-17")).isEqualTo(-17);
        assertThat(TextLines.number("")).isZero();
        assertThat(TextLines.number("x")).isZero();
    }

    @Test
    void shown_foreignText_isBoundedAndWithoutControls() {
        assertThat(TextLines.shown(bytes("a\tb\u0000c"), 10)).isEqualTo("a?b?c");
        assertThat(TextLines.shown(bytes("abcdef"), 4)).isEqualTo("abcd");
        assertThat(TextLines.shown(bytes("\ud83d\ude00\ud83d\ude00\ud83d\ude00"), 2))
                .isEqualTo("\ud83d\ude00\ud83d\ude00");
    }
}
