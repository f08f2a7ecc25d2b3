package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What holds at a path that no type describes. */
class EffectiveTest {

    private static Map<String, String> leaves(Layers layers, String path) {
        var texts = new LinkedHashMap<String, String>();
        Effective.leaves(layers.at(path), Given.none()).forEach((name, leaf) -> texts.put(name, leaf.text()));
        return texts;
    }

    @Test
    void value_textThatReadsAsAList_isTheList() {
        Layers layers = Given.layers("a", "[1, \"x\"]", "b", "[");

        assertThat(Effective.value(layers.at("a"))).isInstanceOf(Value.Items.class);
        assertThat(Effective.value(layers.at("b"))).isInstanceOf(Value.Broken.class);
        assertThat(leaves(layers, "a")).containsExactly(Map.entry("a", "[1,\"x\"]"));
    }

    @Test
    void value_textThatReadsAsAnObject_isNone() {
        Layers layers = Given.layers("a", "{\"b\":{\"c\":1},\"d\":2}");

        assertThat(Effective.value(layers.at("a"))).isNull();
        assertThat(leaves(layers, "a")).containsExactly(Map.entry("a.b.c", "1"), Map.entry("a.d", "2"));
    }

    @Test
    void value_objectOverAWeakerText_isNoText() {
        Layers layers =
                Bundled.builder().defaults(Map.of("a.b", "text")).build().with(Given.store("a.json", "{\"b\":{}}"));

        assertThat(Effective.value(layers.at("a.b"))).isNull();
        assertThat(leaves(layers, "a.b")).containsExactly(Map.entry("a.b", "{}"));
    }

    @Test
    void value_keysBelowOverAWeakerText_isTheText() {
        Layers layers =
                Bundled.builder().defaults(Map.of("a.b", "text")).build().with(Given.store("a.b.c", "1"));

        assertThat(Effective.value(layers.at("a.b")))
                .isInstanceOfSatisfying(
                        Value.Scalar.class, text -> assertThat(text.text()).isEqualTo("text"));
    }

    @Test
    void leaves_nothingThere_none() {
        assertThat(leaves(Given.layers("a", "1"), "b")).isEmpty();
    }

    @Test
    void leaves_takenAway_none() {
        assertThat(leaves(Given.layers("a.json", "{\"b\":null,\"c\":1}"), "a")).containsExactly(Map.entry("a.c", "1"));
    }

    @Test
    void leaves_ofSecrets_areMarkedAndNotShown() {
        Layers layers = Given.layers("a.json", "{\"pin\":\"1234\",\"name\":\"x\",\"list\":[{\"pin\":\"5\"}]}");

        Map<String, Effective.Leaf> leaves = Effective.leaves(layers.at("a"), SecretPaths.of("*pin"));

        assertThat(leaves.get("a.pin").secret()).isTrue();
        assertThat(leaves.get("a.name").secret()).isFalse();
        assertThat(leaves.get("a.list").secret()).isTrue();
        assertThat(leaves.get("a.pin")).hasToString("a.pin");
    }

    @Test
    void leaves_textThatCannotBeParsed_isTheTextAndSecretIfAnythingIs() {
        Layers layers = Given.layers("a", "{bcrypt}x");

        assertThat(leaves(layers, "a")).containsExactly(Map.entry("a", "{bcrypt}x"));
        assertThat(Effective.leaves(layers.at("a"), Given.none()).get("a").secret())
                .isFalse();
        assertThat(Effective.leaves(layers.at("a"), SecretPaths.of("*pin"))
                        .get("a")
                        .secret())
                .isTrue();
    }

    @Test
    void writtenInStore_isWhatATypeMayTellApart() {
        Layers layers = Bundled.builder()
                .defaults(Map.of("a.d", "1"))
                .build()
                .with(Given.store("a.json", "{\"x-y\":null,\"e\":{}}", "a.list", "[1,  2]", "a.x_y", "{\"pin\": 1}"));

        Map<String, Effective.Leaf> written = Effective.writtenInStore(layers.at("a"), SecretPaths.of("*pin"));

        var texts = new LinkedHashMap<String, String>();
        written.forEach((name, leaf) -> texts.put(name, leaf.text()));
        assertThat(texts)
                .containsOnly(
                        Map.entry("a.x-y", "null"),
                        Map.entry("a.e", "{}"),
                        Map.entry("a.list", "[1,  2]"),
                        Map.entry("a.x_y", "{\"pin\": 1}"),
                        Map.entry("a.x_y.pin", "1"));
        assertThat(written.get("a.x_y").secret()).isTrue();
        assertThat(written.get("a.list").secret()).isFalse();
    }

    @Test
    void writtenInStore_overrides_leaveOutWhatTheyReplace() {
        Layers layers = Bundled.builder()
                .overrideEnvironment("", Map.of("A_TEXT", "1", "A_OBJECT_IN", "1"))
                .build()
                .with(Given.store("a.text", "2", "a.object.json", "{\"in\":2,\"beside\":null}", "a.other", "2"));

        assertThat(Effective.writtenInStore(layers.at("a"), Given.none()).keySet())
                .containsOnly("a.object.beside", "a.other");
    }
}
