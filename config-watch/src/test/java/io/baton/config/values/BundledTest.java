package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.ConfigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundledTest {

    @TempDir
    Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** Has this one document on its class path. */
    private static ClassLoader loader(String name, String text) {
        return new ClassLoader(null) {
            @Override
            public InputStream getResourceAsStream(String resource) {
                return resource.equals(name) ? new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) : null;
            }
        };
    }

    @Test
    void defaults_ofTheClassPath_areTheWeakest() throws IOException {
        Bundled bundled = Bundled.builder()
                .file(file("a.properties", "b=file"))
                .defaults(loader("d.json", "{\"b\":1,\"c\":2}"), "d.json")
                .build();

        assertThat(bundled.with(Given.store()).text("b")).contains("file");
        assertThat(bundled.with(Given.store()).text("c")).contains("2");
        assertThat(bundled.with(Given.store())
                        .explain("c", Given.none())
                        .layers()
                        .get(0)
                        .origin())
                .isEqualTo("classpath:d.json, line 1, column 12");
    }

    @Test
    void calledTwice_theLaterOverrides() {
        Layers layers = Bundled.builder()
                .defaults(Map.of("a", "1", "b", "1"))
                .defaults(Map.of("a", "2"))
                .environment("X_", Map.of("X_C", "1"))
                .environment("Y_", Map.of("Y_C", "2"))
                .build()
                .with(Given.store());

        assertThat(layers.text("a")).contains("2");
        assertThat(layers.text("b")).contains("1");
        assertThat(layers.text("c")).contains("2");
    }

    @Test
    void document_thatCannotBeRead_isRefusedWithItsName() throws IOException {
        Path none = directory.resolve("none.json");
        Path malformed = file("m.yaml", "a:\n b: 1\n  c: 2\n");
        Path unnamed = file("settings.conf", "a=b");
        Path binary = Files.write(directory.resolve("b.json"), new byte[] {'{', (byte) 0xff, '}'});
        Bundled.Builder builder = Bundled.builder();

        assertThatThrownBy(() -> builder.file(none))
                .isInstanceOf(ConfigException.class)
                .hasMessage("cannot read " + none + ": there is no such file");
        assertThatThrownBy(() -> builder.file(malformed))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("m.yaml is not valid YAML (file: ")
                .hasMessageContaining("line 3")
                .hasNoCause();
        assertThatThrownBy(() -> builder.file(unnamed))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("settings.conf must end in .json");
        assertThatThrownBy(() -> builder.file(binary))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not UTF-8 text");
        assertThatThrownBy(() -> builder.file(directory)).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> builder.defaults(loader("x", ""), "none.json"))
                .isInstanceOf(ConfigException.class)
                .hasMessage("there is no none.json on the class path");
        assertThatThrownBy(() -> builder.defaults(Map.of("a..b", "1"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void environment_wordsOfAnUnknownPath_areItsNames() {
        Layers layers = Given.environment(Map.of("SHOP_PAYMENTS_RETRY_LIMIT", "5", "SHOP__X", "1", "SHOP_", "2"));

        assertThat(layers.text("payments.retry.limit")).contains("5");
        assertThat(layers.text("payments.retryLimit")).contains("5");
        assertThat(layers.text("payments.retry-limit")).contains("5");
        assertThat(layers.text("paymentsRetry.limit")).contains("5");
        assertThat(layers.text("payments")).contains("{\"retry\":{\"limit\":\"5\"}}");
        assertThat(layers.text("x")).contains("1");
    }

    @Test
    void environment_nameThatAnotherLayerHas_isThat() {
        Layers layers = Bundled.builder()
                .defaults(Map.of("payments.retry-limit", "1"))
                .environment("SHOP_", Map.of("SHOP_PAYMENTS_RETRY_LIMIT", "5"))
                .build()
                .with(Given.store());

        assertThat(layers.text("payments")).contains("{\"retry-limit\":\"5\"}");
    }

    @Test
    void overrides_ofFilesAndTheEnvironment_areAboveTheStore() throws IOException {
        Bundled bundled = Bundled.builder()
                .overrideFile(file("o1.properties", "a=o1\nb=o1\nc=o1"))
                .overrideFile(file("o2.properties", "a=o2\nb=o2"))
                .overrideFile(directory.resolve("none.properties"))
                .overrideEnvironment("X_", Map.of("X_A", "x", "X_E", "x"))
                .overrideEnvironment("Y_", Map.of("Y_A", "y"))
                .file(file("f.properties", "d=f"))
                .build();
        Layers layers = bundled.with(Given.store("a", "s", "b", "s", "c", "s", "d", "s"));

        assertThat(layers.text("a")).contains("y");
        assertThat(layers.text("b")).contains("o2");
        assertThat(layers.text("c")).contains("o1");
        assertThat(layers.text("d")).contains("s");
        assertThat(layers.text("e")).contains("x");
        assertThat(bundled.overridden()).containsExactlyInAnyOrder("a", "b", "c", "e");
        assertThat(Bundled.builder().build().overridden()).isEmpty();
        Bundled.Builder empty = Bundled.builder().overrideFile(file("empty.json", "{}"));
        assertThat(empty.build().overridden()).isEmpty();
    }

    @Test
    void overrides_null_takesTheValueAwayAndIsNamed() throws IOException {
        Bundled bundled = Bundled.builder()
                .overrideFile(file("o.json", "{\"a\": null, \"b\": {\"c\": null, \"d\": 1}, \"e\": {}}"))
                .build();
        Layers layers = bundled.with(Given.store("a", "s", "b.c", "s"));

        assertThat(layers.text("a")).isEmpty();
        assertThat(layers.text("b.c")).isEmpty();
        assertThat(bundled.overridden()).containsExactly("a", "b.c", "b.d", "e");
    }

    @Test
    void defaults_asDeepAsADocumentMayBe_areTaken() {
        String deep = "a" + ".a".repeat(Documents.MOST_LEVELS - 1);
        assertThat(Bundled.builder()
                        .defaults(Map.of(deep, "1"))
                        .build()
                        .with(Given.store())
                        .text(deep))
                .contains("1");
        Bundled.Builder builder = Bundled.builder();
        assertThatThrownBy(() -> builder.defaults(Map.of(deep + ".a", "1"))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> builder.defaults(Map.of("", "1"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void document_asLargeAsItMayBe_isTaken() throws IOException {
        String most = "a=" + "x".repeat(Documents.MOST_CHARACTERS - 2);
        Path large = file("large.properties", most);
        Path larger = file("larger.properties", most + "x");

        Bundled bundled = Bundled.builder().file(large).build();

        assertThat(bundled.with(Given.store()).text("a").orElseThrow()).hasSize(Documents.MOST_CHARACTERS - 2);
        assertThatThrownBy(() -> Bundled.builder().file(larger))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("more than " + Documents.MOST_CHARACTERS);
    }

    @Test
    void with_formerLayers_haveTheStoresNewValues() {
        Bundled bundled = Bundled.builder().defaults(Map.of("a", "1")).build();
        Layers former = bundled.with(Given.store("b.json", "{}"));

        assertThat(bundled.with(Given.store("b", "2"), former).text("b")).contains("2");
        assertThat(bundled.with(Given.store("b", "2"), former, List.of("b")).text("a"))
                .contains("1");
    }
}
