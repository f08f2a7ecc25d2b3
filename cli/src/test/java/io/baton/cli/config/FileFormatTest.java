package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileFormatTest {

    @ParameterizedTest
    @CsvSource({
        "shop.json, json",
        "SHOP.JSON, json",
        "a.b/shop.yaml, yaml",
        "shop.Yml, yaml",
        "shop.properties, properties",
        "shop.json.Properties, properties"
    })
    void of_knownExtension_isItsFormat(String file, FileFormat format) {
        assertThat(FileFormat.of(file)).contains(format);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dev/fd/63", "shop.json.bak", "shop", "json", "conf.json/shop", "shop.json~", "shop.conf"})
    void of_nameThatDoesNotTell_isNone(String file) {
        assertThat(FileFormat.of(file)).isEmpty();
    }
}
