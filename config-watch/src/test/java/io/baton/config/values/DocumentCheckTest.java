package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentCheckTest {

    @ParameterizedTest
    @CsvSource({
        "a.json, '{\"x\": hunter2}'",
        "a.yaml, 'x: [hunter2'",
        "a.yml, '@x: hunter2'",
        "a.properties, '\\u00zz=hunter2'"
    })
    void trouble_malformedDocument_isToldWithoutItsText(String key, String text) {
        assertThat(DocumentCheck.trouble(key, text).orElseThrow()).contains(key).doesNotContain("hunter2");
    }

    @Test
    void trouble_malformedDocument_saysWhere() {
        assertThat(DocumentCheck.trouble("a.json", "{\n  x}").orElseThrow()).contains("line 2, column ");
    }

    @ParameterizedTest
    @CsvSource({"a.json, '{\"x\": 1}'", "a.yaml, 'x: [1]'", "a.yaml, ''", "a.properties, 'x=1'", "a.txt, '{'"})
    void trouble_wellFormedOrNoDocument_isNone(String key, String text) {
        assertThat(DocumentCheck.trouble(key, text)).isEmpty();
    }

    @Test
    void trouble_emptyJson_isTold() {
        assertThat(DocumentCheck.trouble("a.json", "")).isPresent();
    }
}
