package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.ConfigValue;
import io.baton.config.DefaultValue;
import io.baton.config.Explanation;
import io.baton.config.Explanation.Layer;
import io.baton.config.KeyChange;
import io.baton.config.UnknownFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayersTest {

    record Retry(int limit, String pause) {}

    record Settings(
            String url, Retry retry, @DefaultValue("[]") List<String> tags) {}

    @TempDir
    Path directory;

    private Path file;
    private Bundled bundled;

    @BeforeEach
    void fourLayers() throws IOException {
        file = directory.resolve("shop.yaml");
        Files.writeString(file, "payments:\n  url: from-file\n  retry: {limit: 2, pause: 2s}\n  tags: [f, g]\n");
        bundled = Bundled.builder()
                .defaults(Map.of(
                        "payments.url", "from-defaults", "payments.retry.limit", "1", "payments.retry.pause", "1s"))
                .file(file)
                .environment("SHOP_", Map.of("SHOP_PAYMENTS_RETRY_LIMIT", "3"))
                .build();
    }

    private Settings bind(Layers layers) {
        return Given.bind(Settings.class, layers);
    }

    @Test
    void bind_eachLayer_overridesTheWeakerOnesLeafByLeaf() {
        assertThat(bind(bundled.with(Given.store())))
                .isEqualTo(new Settings("from-file", new Retry(3, "2s"), List.of("f", "g")));
        assertThat(bind(bundled.with(Given.store("payments.json", "{\"retry\":{\"limit\":4},\"tags\":[\"s\"]}"))))
                .isEqualTo(new Settings("from-file", new Retry(4, "2s"), List.of("s")));
        assertThat(bind(bundled.with(
                        Given.store("payments.json", "{\"retry\":{\"limit\":4}}", "payments.retry.limit", "5"))))
                .isEqualTo(new Settings("from-file", new Retry(5, "2s"), List.of("f", "g")));
    }

    @Test
    void bind_otherSpellingInAnotherLayer_isTheSameName() {
        record Limits(int retryLimit) {}
        Bundled weaker =
                Bundled.builder().defaults(Map.of("payments.retry-limit", "1")).build();

        assertThat(Given.bind(Limits.class, weaker.with(Given.store("payments.RETRY_LIMIT", "2"))))
                .isEqualTo(new Limits(2));
    }

    @Test
    void bind_null_takesAwayWhatIsWeaker() {
        Layers layers =
                bundled.with(Given.store("payments.json", "{\"url\":null,\"retry\":{\"limit\":1},\"tags\":null}"));

        assertThat(Given.refused(Settings.class, layers)).isEqualTo("payments.url is missing");
        assertThat(bind(bundled.with(Given.store("payments.json", "{\"tags\":null}")))
                        .tags())
                .isEmpty();
        assertThat(Given.refused(Settings.class, bundled.with(Given.store("payments.yaml", "~"))))
                .contains("payments.url is missing; payments.retry.limit is missing");
        assertThat(bind(bundled.with(Given.store("payments.json", "{\"tags\":null}", "payments.tags", "x")))
                        .tags())
                .containsExactly("x");
    }

    @Test
    void bind_emptyYamlAndProperties_sayNothing() {
        assertThat(bind(bundled.with(Given.store("payments.yaml", "# later\n"))).url())
                .isEqualTo("from-file");
        assertThat(bind(bundled.with(Given.store("payments.properties", ""))).url())
                .isEqualTo("from-file");
        assertThat(bind(bundled.with(Given.store("payments.json", "{}"))).url()).isEqualTo("from-file");
    }

    @Test
    void bind_textInPlaceOfAnObject_isRefusedThoughAWeakerLayerHasOne() {
        assertThat(Given.refused(Settings.class, bundled.with(Given.store("payments.retry", "x"))))
                .startsWith("payments.retry must be an object, not a text (store: payments.retry @1)");
    }

    @Test
    void bind_twoDocumentsForOneName_isRefused() {
        assertThat(Given.refused(Settings.class, Given.layers("payments.json", "{}", "payments.yaml", "")))
                .startsWith("payments.json and payments.yaml are two documents for one name");
        assertThat(Given.refused(Settings.class, Given.layers("payments", "{}", "payments.yml", "")))
                .startsWith("payments.yml and payments are two documents for one name");
        assertThat(Given.refused(Settings.class, Given.layers("payments.retry.json", "{}", "payments.retry.yml", "")))
                .contains("payments.retry.json and payments.retry.yml are two documents for one name");
    }

    @Test
    void bind_documentWithinAnother_isMoreParticular() {
        Layers layers = bundled.with(Given.store(
                "payments.json", "{\"retry\":{\"limit\":4,\"pause\":\"4s\"}}",
                "payments.retry.yaml", "limit: 5"));

        assertThat(bind(layers).retry()).isEqualTo(new Retry(5, "4s"));
    }

    @Test
    void bind_malformedDocumentElsewhere_doesNoHarm() {
        assertThat(bind(bundled.with(Given.store("orders.json", "{", "payment.json", "{", "payments-2.json", "{")))
                        .url())
                .isEqualTo("from-file");
    }

    @Test
    void bind_pathWithinADocument_isBound() {
        Layers layers = bundled.with(Given.store("payments.json", "{\"retry\":{\"limit\":9}}"));

        assertThat(new TypeBinder<>(
                                "payments.retry",
                                Retry.class,
                                UnknownFields.REJECT,
                                Given.none(),
                                Converters.none(),
                                Optional.empty())
                        .bind(layers))
                .isEqualTo(new Retry(9, "2s"));
        assertThat(new TypeBinder<>(
                                "payments.retry.limit",
                                int.class,
                                UnknownFields.REJECT,
                                Given.none(),
                                Converters.none(),
                                Optional.<Integer>empty())
                        .bind(layers))
                .isEqualTo(9);
    }

    @Test
    void text_keyOrPath_isTheEffectiveOne() {
        Layers layers = bundled.with(Given.store("payments.json", "{\"retry\":{\"limit\":9}}", "a.b", "[x"));

        assertThat(layers.text("payments.json")).contains("{\"retry\":{\"limit\":9}}");
        assertThat(layers.text("payments.retry.limit")).contains("9");
        assertThat(layers.text("payments.retry.pause")).contains("2s");
        assertThat(layers.text("payments.retry")).contains("{\"limit\":9,\"pause\":\"2s\"}");
        assertThat(layers.text("payments.tags")).contains("[\"f\",\"g\"]");
        assertThat(layers.text("a.b")).contains("[x");
        assertThat(layers.text("a")).isPresent();
        assertThat(layers.text("payments.none")).isEmpty();
        assertThat(layers.text("none")).isEmpty();
    }

    @Test
    void text_malformedDocument_throws() {
        Layers layers = bundled.with(Given.store("orders.json", "{"));

        assertThatThrownBy(() -> layers.text("orders.limit"))
                .isInstanceOf(Unbindable.class)
                .hasMessageStartingWith("orders.json ends too early");
        assertThat(layers.text("orders.json")).contains("{");
    }

    @Test
    void explain_leaf_tellsEachLayer() {
        Layers layers =
                bundled.with(Given.store("payments.json", "{\n\"retry\":{\"limit\":4}}", "payments.retry.limit", "5"));

        assertThat(layers.explain("payments.retry.limit", Given.none()))
                .isEqualTo(new Explanation(
                        "payments.retry.limit",
                        Optional.of("5"),
                        List.of(
                                new Layer("store", "payments.retry.limit @2", "5"),
                                new Layer("store", "payments.json @1, line 2, column 18", "4"),
                                new Layer("environment", "SHOP_PAYMENTS_RETRY_LIMIT", "3"),
                                new Layer("file", file + ", line 3, column 18", "2"),
                                new Layer("defaults", "given in the program", "1"))));
    }

    @Test
    void explain_object_isJsonInOneLine() {
        Explanation explanation =
                bundled.with(Given.store("payments.retry.limit", "5")).explain("payments.retry", Given.none());

        assertThat(explanation.value()).contains("{\"limit\":\"5\",\"pause\":\"2s\"}");
        assertThat(explanation.layers())
                .containsExactly(
                        new Layer("store", "payments.retry.*", "{\"limit\":\"5\"}"),
                        new Layer("environment", "SHOP_PAYMENTS_RETRY_LIMIT", "{\"limit\":\"3\"}"),
                        new Layer("file", file + ", line 3, column 10", "{\"limit\":2,\"pause\":\"2s\"}"),
                        new Layer("defaults", "given in the program", "{\"limit\":\"1\",\"pause\":\"1s\"}"));
    }

    @Test
    void explain_largeObject_isBounded() {
        String value = "x".repeat(100_000);

        assertThat(Given.layers("a.json", "{\"b\":\"" + value + "\"}")
                        .explain("a", Given.none())
                        .value()
                        .orElseThrow())
                .hasSizeLessThan(2_000);
    }

    @Test
    void explain_takenAwayOrMalformedOrNothing_saysSo() {
        Layers layers = bundled.with(Given.store("payments.json", "{\"url\":null}", "orders.json", "{"));

        assertThat(layers.explain("payments.url", Given.none()))
                .isEqualTo(new Explanation(
                        "payments.url",
                        Optional.empty(),
                        List.of(new Layer("store", "payments.json @1, line 1, column 8", "null"))));
        assertThat(layers.explain("orders.limit", Given.none()).value().orElseThrow())
                .startsWith("(cannot be read: orders.json ends too early");
        assertThat(layers.explain("none", Given.none()))
                .isEqualTo(new Explanation("none", Optional.empty(), List.of()));
    }

    @Test
    void explain_documentInASingleKey_isToldOnce() {
        Layers layers = Given.layers("payments", "{\"url\":\"u\"}");

        assertThat(layers.explain("payments", Given.none()))
                .isEqualTo(new Explanation(
                        "payments",
                        Optional.of("{\"url\":\"u\"}"),
                        List.of(new Layer("store", "payments @1, line 1, column 1", "{\"url\":\"u\"}"))));
    }

    private static KeyChange change(String key, String before, String now) {
        return new KeyChange(key, Optional.ofNullable(before), Optional.ofNullable(now), false);
    }

    @Test
    void changes_documentsAndKeys_areLeafByLeafAndEffective() {
        Layers before =
                bundled.with(Given.store("payments.json", "{\"url\":\"a\",\"retry\":{\"limit\":4},\"tags\":[\"x\"]}"));
        Layers now = bundled.with(
                Given.store("payments.json", "{\"url\":\"b\",\"tags\":[\"x\",\"y\"]}", "payments.new", "n"), before);

        assertThat(now.changes("payments", before, Given.none()))
                .containsExactlyInAnyOrder(
                        change("payments.url", "a", "b"),
                        change("payments.retry.limit", "4", "3"),
                        change("payments.tags", "[\"x\"]", "[\"x\",\"y\"]"),
                        change("payments.new", null, "n"));
        assertThat(now.changes("payments.retry", before, Given.none()))
                .containsExactly(change("payments.retry.limit", "4", "3"));
        assertThat(now.changes("orders", before, Given.none())).isEmpty();
        assertThat(now.changes("", before, Given.none())).hasSize(4);
    }

    @Test
    void changes_onlyWrittenInAnotherWay_areNone() {
        Layers before = Given.layers("payments.json", "{\"retry-limit\":4,\"a\":{\"b\":\"c\"}}");
        Layers now = bundledNone().with(Given.store("payments.yaml", "retryLimit: 4\n", "payments.a.b", "c"), before);

        assertThat(now.changes("payments", before, Given.none())).isEmpty();
    }

    @Test
    void changes_keyInTheStoreGone_showsWhatHoldsNow() {
        Layers before = bundled.with(Given.store("payments.url", "a", "x.y", "1"));
        Layers now = bundled.with(Given.store(), before);

        assertThat(now.changes("payments", before, Given.none()))
                .containsExactly(change("payments.url", "a", "from-file"));
        assertThat(now.changes("x", before, Given.none())).containsExactly(change("x.y", "1", null));
    }

    private static Bundled bundledNone() {
        return Bundled.builder().build();
    }

    @Test
    void with_formerLayers_parsesNothingTwice() {
        SortedMap<String, ConfigValue> store = Given.store("payments.json", "{}", "a", "{\"b\":1}");
        Layers former = bundled.with(store);
        Layers next = bundled.with(Given.store("payments.json", "{}", "a", "{\"b\":1}", "c", "1"), former);
        Layers changed = bundled.with(Given.store("payments.json", "{ }", "a", "{\"b\":2}"), next);

        assertThat(document(next, "payments")).isSameAs(document(former, "payments"));
        assertThat(document(next, "a")).isSameAs(document(former, "a"));
        assertThat(document(changed, "payments")).isNotSameAs(document(next, "payments"));
        assertThat(changed.text("a.b")).contains("2");
        assertThat(former.text("a.b")).contains("1");
    }

    private static Node document(Layers layers, String path) {
        Node key = new KeyNode(new KeyNode.Keys(layers.store(), layers.parsed())).child(path);
        assertThat(key).isNotNull();
        Node document = key.document();
        assertThat(document).isNotNull();
        return document;
    }

    @Test
    void keys_manyBelowEachName_areAllFound() {
        List<String> texts = new ArrayList<>();
        for (int name = 0; name < 12; name++) {
            for (int below = 0; below < name; below++) {
                texts.addAll(List.of("a.n" + name + ".k" + below, "1"));
            }
            texts.addAll(List.of("a.n" + name + "-x", "1"));
        }
        Layers layers = Given.layers(texts.toArray(String[]::new));
        Node node = new KeyNode(new KeyNode.Keys(layers.store(), layers.parsed())).child("a");

        assertThat(node).isNotNull();
        assertThat(node.names()).hasSize(12 + 11).contains("n1", "n11", "n0-x", "n11-x");
    }

    @Test
    void keys_namesThatAreNextToEachOther_areKeptApart() {
        Layers layers = Given.layers(
                "a.b", "1", "a.b-c", "2", "a.b.c", "3", "a.b.json", "{\"d\":4}", "a.b/c", "5", "ab", "6", "a..c", "7");
        KeyNode root = new KeyNode(new KeyNode.Keys(layers.store(), layers.parsed()));
        Node node = root.child("a");

        assertThat(root.names()).containsExactlyInAnyOrder("a", "ab");
        assertThat(node).isNotNull();
        assertThat(node.names()).containsExactlyInAnyOrder("b", "b-c", "b/c");
        assertThat(node.child("b")).isNotNull().extracting(Node::names).isEqualTo(List.of("c"));
        assertThat(layers.text("a.b.d")).contains("4");
        assertThat(layers.text("a.b")).contains("1");
        assertThat(layers.text("a.b.c")).contains("3");
    }

    @Test
    void text_keyIsOverridden_isThatOfTheOverride() {
        Bundled over = Bundled.builder()
                .overrideEnvironment("NOW_", Map.of("NOW_PAYMENTS_URL", "from-override"))
                .build();
        Layers layers = over.with(Given.store("payments.url", "from-store", "payments.retry", "{\"a\": 1}"));

        assertThat(layers.text("payments.url")).contains("from-override");
        // As it is written, though there are overrides of others.
        assertThat(layers.text("payments.retry")).contains("{\"a\": 1}");
        assertThat(Given.layers("payments.retry", "{\"a\": 1}").text("payments.retry"))
                .contains("{\"a\": 1}");
        assertThat(layers.text("payments.other")).isEmpty();
    }

    @Test
    void explain_secret_isNotShownOfAnyLayer() {
        Layers layers = bundled.with(Given.store("payments.url", "from-store"));
        Explanation secret = layers.explain("payments.url", SecretPaths.of("payments.url"));

        assertThat(secret.layers())
                .extracting(Layer::value)
                .containsOnly("(secret)")
                .hasSize(3);
        assertThat(secret.value()).contains("(secret)");
        Explanation none = layers.explain("payments.none", SecretPaths.of("payments.none"));
        assertThat(none.value()).isEmpty();
        assertThat(none.layers()).isEmpty();
    }

    @Test
    void changes_secretBeforeOrNow_areSecret() {
        SortedMap<String, ConfigValue> open = Given.store("payments.url", "1");
        SortedMap<String, ConfigValue> marked = Given.marked(Given.store("payments.url", "2"), "payments.url");
        Bundled none = Bundled.builder().build();

        assertThat(none.with(marked).changes("payments", none.with(open), Given.none()))
                .containsExactly(new KeyChange("payments.url", Optional.of("1"), Optional.of("2"), true));
        assertThat(none.with(open).changes("payments", none.with(marked), Given.none()))
                .containsExactly(new KeyChange("payments.url", Optional.of("2"), Optional.of("1"), true));
        assertThat(none.with(marked).changes("payments", none.with(Given.store()), Given.none()))
                .containsExactly(new KeyChange("payments.url", Optional.empty(), Optional.of("2"), true));
        assertThat(none.with(Given.store()).changes("payments", none.with(marked), Given.none()))
                .containsExactly(new KeyChange("payments.url", Optional.of("2"), Optional.empty(), true));
        assertThat(none.with(open).changes("payments", none.with(Given.store()), Given.none()))
                .containsExactly(new KeyChange("payments.url", Optional.empty(), Optional.of("1"), false));
    }

    @Test
    void secretKey_markedOrByAPattern_isSo() {
        Layers layers = bundled.with(Given.marked(
                Given.store("marked", "1", "open", "1", "shop.json", "{\"pin\":\"1\",\"name\":\"2\"}", "bad.json", "{"),
                "marked"));
        SecretPaths other = SecretPaths.of("elsewhere");

        assertThat(layers.secretKey("marked", Given.none())).isTrue();
        assertThat(layers.secretKey("none", SecretPaths.of("none"))).isFalse();
        assertThat(layers.secretKey("open", Given.none())).isFalse();
        assertThat(layers.secretKey("open", other)).isFalse();
        assertThat(layers.secretKey("open", SecretPaths.of("open"))).isTrue();
        assertThat(layers.secretKey("open", SecretPaths.of("open.below"))).isTrue();
        assertThat(layers.secretKey("shop.json", SecretPaths.of("shop.pin"))).isTrue();
        assertThat(layers.secretKey("shop.json", SecretPaths.of("*pin"))).isTrue();
        assertThat(layers.secretKey("shop.json", SecretPaths.of("*.json"))).isTrue();
        assertThat(layers.secretKey("shop.json", other)).isFalse();
        assertThat(layers.secretKey("bad.json", Given.none())).isFalse();
        assertThat(layers.secretKey("bad.json", other)).isTrue();
    }

    @Test
    void same_onlyKeysThatAPathDependsOn_count() {
        Layers before = bundled.with(Given.store("payments.url", "1", "other", "1"));
        Layers next = bundled.with(Given.store("payments.url", "1", "other", "2"), before);

        assertThat(before.same("payments", before)).isTrue();
        assertThat(next.same("payments", before)).isTrue();
        assertThat(next.same("payments.url", before)).isTrue();
        assertThat(next.same("other", before)).isFalse();
        assertThat(next.same("", before)).isFalse();
        Layers elsewhere = Bundled.builder().build().with(before.store());
        assertThat(elsewhere.same("payments", before)).isFalse();
        // What was given as changed is taken for it.
        Layers given = bundled.with(Given.store("payments.url", "1", "other", "2"), before, List.of("other"));
        assertThat(given.same("payments", before)).isTrue();
        assertThat(given.same("other", before)).isFalse();
        assertThat(bundled.with(before.store(), before).same("", before)).isTrue();
    }

    @Test
    void first_nameOfAPath_isSpelledAsInTheStore() {
        Layers layers = Given.layers("Payments.Retry_Limit", "1");
        assertThat(layers.text("Payments.retryLimit")).contains("1");
        assertThat(layers.text("payments.retryLimit")).isEmpty();
    }
}
