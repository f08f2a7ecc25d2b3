package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Values as texts, for programs and for people. */
class ValueTextsTest {

    private static final Origin HERE = Origin.of("defaults", "here");

    @Test
    void of_valueTakenWhole_isItsText() {
        assertThat(ValueTexts.of(Value.Scalar.loose("x y", HERE))).isEqualTo("x y");
        assertThat(ValueTexts.of(Value.Scalar.strict(Value.Scalar.Kind.NUMBER, "0x10", "16", HERE)))
                .isEqualTo("0x10");
        assertThat(ValueTexts.of(new Value.Broken("a", "why", HERE))).isEqualTo("(malformed)");
        assertThat(ValueTexts.of(new Value.Nothing(HERE))).isNull();
        assertThat(ValueTexts.of(new Value.Items(List.of(), HERE))).isEqualTo("[]");
    }

    @Test
    void full_nothingThere_isNone() {
        Layers layers = Given.layers("a.json", "{\"b\":null}");

        assertThat(ValueTexts.full(layers.at("none"))).isNull();
        assertThat(ValueTexts.full(layers.at("a.b"))).isNull();
        assertThat(ValueTexts.full(layers.at("a"))).isEqualTo("{\"b\":null}");
    }

    @Test
    void full_eachKindWithinAnObject_isWrittenAsItIs() {
        Layers layers = Given.layers(
                "abc.yaml",
                "text: x\nnumber: 1.50\nhex: 0x10\nyes: true\nno: False\nlist: [1, null, [a], {b: c}]\nempty: {}\n");

        assertThat(ValueTexts.full(layers.at("abc")))
                .isEqualTo("{\"text\":\"x\",\"number\":1.50,\"hex\":16,\"yes\":true,\"no\":false,"
                        + "\"list\":[1,null,[\"a\"],{\"b\":\"c\"}],\"empty\":{}}");
    }

    @Test
    void full_malformedWithinAnObject_saysSo() {
        Layers layers = Given.layers("a.b", "1", "a.c", "[1");

        assertThat(ValueTexts.full(layers.at("a"))).isEqualTo("{\"b\":\"1\",\"c\":\"(malformed)\"}");
    }

    @Test
    void full_ofEverything_hasTheNamesWhole() {
        assertThat(ValueTexts.full(Given.layers("abc.de", "1").at(""))).isEqualTo("{\"abc\":{\"de\":\"1\"}}");
    }

    @Test
    void shown_nothingThere_isNone() {
        assertThat(ValueTexts.shown(Given.layers("a", "1").at("none"), Given.none()))
                .isNull();
        assertThat(ValueTexts.shown(Given.layers("a", "1").at("none"), SecretPaths.of("none")))
                .isNull();
    }

    @Test
    void shown_longText_isCutOff() {
        String longest = "x".repeat(1_000);
        Layers layers = Given.layers("a", longest, "b", longest + "yz");

        assertThat(ValueTexts.shown(layers.at("a"), Given.none())).isEqualTo(longest);
        assertThat(ValueTexts.shown(layers.at("b"), Given.none())).isEqualTo(longest + "…");
    }

    @Test
    void shown_malformed_saysWhyWithoutTheText() {
        assertThat(ValueTexts.shown(Given.layers("a.json", "{\"b\":x").at("a"), Given.none()))
                .startsWith("(cannot be read: a.json is not valid JSON");
    }

    @Test
    void shown_secrets_areNotInIt() {
        Layers layers = Given.layers("a.json", "{\"pin\":1,\"list\":[\"x\",\"y\"],\"name\":\"z\"}", "b", "text");

        assertThat(ValueTexts.shown(layers.at("a"), SecretPaths.of("a.pin", "a.list.1")))
                .isEqualTo("{\"pin\":\"(secret)\",\"list\":[\"x\",\"(secret)\"],\"name\":\"z\"}");
        assertThat(ValueTexts.shown(layers.at("a.list"), SecretPaths.of("a.list.1")))
                .isEqualTo("[\"x\",\"(secret)\"]");
        assertThat(ValueTexts.shown(layers.at("a"), SecretPaths.of("a"))).isEqualTo("(secret)");
        // An object with something secret in it may stand in this text.
        assertThat(ValueTexts.shown(layers.at("b"), SecretPaths.of("b.pin"))).isEqualTo("(secret)");
        assertThat(ValueTexts.shown(layers.at("b"), SecretPaths.of("c.pin"))).isEqualTo("text");
    }

    @Test
    void holdsSecret_listOrText_ifSomethingBelowIs() {
        Layers layers = Given.layers("a.json", "{\"list\":[\"x\",\"y\"]}", "b", "text");
        LayeredValue list = layers.at("a.list");
        LayeredValue text = layers.at("b");

        assertThat(ValueTexts.holdsSecret(list, Effective.value(list), SecretPaths.of("a.list.1")))
                .isTrue();
        assertThat(ValueTexts.holdsSecret(list, Effective.value(list), SecretPaths.of("a.list.2")))
                .isFalse();
        assertThat(ValueTexts.holdsSecret(text, Effective.value(text), SecretPaths.of("b.pin")))
                .isTrue();
        assertThat(ValueTexts.holdsSecret(text, Effective.value(text), SecretPaths.of("c.pin")))
                .isFalse();
        assertThat(ValueTexts.holdsSecret(layers.at("a"), null, SecretPaths.of("a.list.1")))
                .isFalse();
    }
}
