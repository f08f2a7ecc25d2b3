package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Secret texts are left out of messages. */
class SecretTextsTest {

    private static SecretTexts of(SecretPaths secrets, String... keysAndTexts) {
        SecretTexts texts = new SecretTexts(secrets);
        texts.add(Given.layers(keysAndTexts).at("a"));
        return texts;
    }

    @Test
    void without_secretAnywhere_isReplacedEachTime() {
        SecretTexts texts = of(SecretPaths.of("a.pin"), "a.pin", "1234", "a.name", "shop");

        assertThat(texts.without("1234 of shop is 1234")).isEqualTo("(secret) of shop is (secret)");
        assertThat(texts.without("x1234y")).isEqualTo("x(secret)y");
        assertThat(texts.without("123")).isEqualTo("123");
        assertThat(texts.without("12 34 1234")).isEqualTo("12 34 (secret)");
        assertThat(texts.without("")).isEmpty();
    }

    @Test
    void without_secretsThatBeginAlike_theLongestIsReplaced() {
        SecretTexts texts = of(SecretPaths.of("a.*"), "a.x", "ab", "a.y", "abcd", "a.z", "c");

        assertThat(texts.without("abcd")).isEqualTo("(secret)");
        assertThat(texts.without("abce")).isEqualTo("(secret)(secret)e");
        assertThat(texts.without("ab")).isEqualTo("(secret)");
    }

    @Test
    void without_partOfWhatIsSecretAsAWhole_isReplaced() {
        SecretTexts texts =
                of(SecretPaths.of("a"), "a.json", "{\"b\":{\"c\":\"one\"},\"d\":[\"two\",{\"e\":\"three\"}]}");

        assertThat(texts.without("one two three four")).isEqualTo("(secret) (secret) (secret) four");
    }

    @Test
    void without_itemOfAList_isReplacedIfItIsSecret() {
        SecretTexts texts = of(SecretPaths.of("a.1", "a.2.pin"), "a.json", "[\"one\",\"two\",{\"pin\":\"three\"}]");

        assertThat(texts.without("one two three")).isEqualTo("one (secret) (secret)");
    }

    @Test
    void without_textInPlaceOfAnObjectWithASecret_isReplaced() {
        assertThat(of(SecretPaths.of("a.pin"), "a", "1234").without("not '1234'"))
                .isEqualTo("not '(secret)'");
        assertThat(of(SecretPaths.of("b.pin"), "a", "1234").without("not '1234'"))
                .isEqualTo("not '1234'");
    }

    @Test
    void without_weakerLayersSecret_isReplacedToo() {
        SecretTexts texts = new SecretTexts(SecretPaths.of("a"));
        texts.add(Bundled.builder()
                .defaults(Map.of("a", "old"))
                .build()
                .with(Given.store("a", "new"))
                .at("a"));

        assertThat(texts.without("old new")).isEqualTo("(secret) (secret)");
    }

    @Test
    void without_secretOfSeveralLines_isReplacedAsItIsAndInPieces() {
        SecretTexts texts = of(SecretPaths.of("a"), "a", "  one\n   two\n\n");

        assertThat(texts.without("[  one\n   two\n\n]")).isEqualTo("[(secret)]");
        assertThat(texts.without("[one\n   two]")).isEqualTo("[(secret)]");
        assertThat(texts.without("[two one]")).isEqualTo("[(secret) (secret)]");
    }

    @Test
    void without_secretInAnAddress_isReplaced() {
        assertThat(of(SecretPaths.of("a"), "a", "p&ss w/rd").without("http://x?p=p%26ss+w%2Frd"))
                .isEqualTo("http://x?p=(secret)");
    }

    @Test
    void without_blankSecret_replacesNothing() {
        assertThat(of(SecretPaths.of("a"), "a", " ").without("one two")).isEqualTo("one two");
    }
}
