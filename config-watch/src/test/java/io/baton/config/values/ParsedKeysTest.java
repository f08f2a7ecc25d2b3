package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigValue;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Documents of the store are parsed once, for as long as they are the same. */
class ParsedKeysTest {

    private final ParsedKeys parsed = new ParsedKeys();

    private static ConfigValue value(String key, String text, long revision) {
        return new ConfigValue(key, text, revision, false);
    }

    private DocumentTree json(String key, String text, long revision) {
        return parsed.document(value(key, text, revision), Format.JSON);
    }

    @Test
    void text_documentByHowItBegins_isTheSameUntilItIsWrittenAnew() {
        Value.Scalar first = parsed.text(value("a", "{\"b\":1}", 1));

        assertThat(first.text()).isEqualTo("{\"b\":1}");
        assertThat(parsed.text(value("a", "{\"b\":1}", 1))).isSameAs(first);
        Value.Scalar next = parsed.text(value("a", "{\"b\":2}", 2));
        assertThat(next.text()).isEqualTo("{\"b\":2}");
        assertThat(next.origin().place()).startsWith("a @2");
        assertThat(parsed.text(value("a", "{\"b\":2}", 2))).isSameAs(next);
        assertThat(parsed.text(value("b", "{\"b\":2}", 2))).isNotSameAs(next);
    }

    @Test
    void text_plain_isThatTextAndNothingIsKept() {
        Value.Scalar first = parsed.text(value("a", "1", 1));

        assertThat(first.text()).isEqualTo("1");
        assertThat(parsed.text(value("a", "1", 1))).isNotSameAs(first);
        assertThat(parsed.text(value("a", "[1", 1)).text()).isEqualTo("[1");
        assertThat(parsed.text(value("a", "2", 2)).text()).isEqualTo("2");
    }

    @Test
    void document_sameValue_isParsedOnce() {
        DocumentTree first = json("a.json", "{\"b\":1}", 1);

        assertThat(json("a.json", "{\"b\":1}", 1)).isSameAs(first);
        assertThat(json("a.json", "{\"b\":1}", 2)).isNotSameAs(first);
        assertThat(json("b.json", "{\"b\":1}", 1)).isNotSameAs(first);
    }

    @Test
    void tree_key_isReadByItsNameOrByHowItBegins() {
        assertThat(parsed.tree(value("a.yaml", "b: 1", 1)).names()).containsExactly("b");
        assertThat(parsed.tree(value("a.b.json", "{\"c\":1}", 1)).names()).containsExactly("c");
        assertThat(parsed.tree(value("a", "{\"d\":1}", 1)).names()).containsExactly("d");
        assertThat(parsed.tree(value("b", "[", 1)).trouble()).isNotNull();
        assertThat(parsed.tree(value("c", "text", 1)).value())
                .isInstanceOfSatisfying(
                        Value.Scalar.class, text -> assertThat(text.text()).isEqualTo("text"));
    }

    @Test
    void prune_manyThatAreGone_areForgotten() {
        DocumentTree gone = json("gone.json", "{}", 1);
        DocumentTree there = json("there.json", "{}", 1);
        Map<String, ConfigValue> store = Map.of("there.json", value("there.json", "{}", 1));
        for (int i = 0; i < 63; i++) {
            json("k" + i + ".json", "{}", 1);
        }

        // There may be 64 more than the store has.
        parsed.prune(store);
        assertThat(json("gone.json", "{}", 1)).isSameAs(gone);

        json("more.json", "{}", 1);
        parsed.prune(store);
        assertThat(json("gone.json", "{}", 1)).isNotSameAs(gone);
        assertThat(json("there.json", "{}", 1)).isSameAs(there);
    }
}
