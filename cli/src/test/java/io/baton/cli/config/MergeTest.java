package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigValue;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MergeTest {

    private final TreeMap<String, ConfigValue> present = new TreeMap<>(Map.of(
            "same", new ConfigValue("same", "1", 5, false),
            "other", new ConfigValue("other", "1", 6, false),
            "gone", new ConfigValue("gone", "1", 7, false),
            "password", new ConfigValue("password", "hunter2", 8, true)));

    @Test
    void changes_valuesThatDiffer_areTold() {
        assertThat(merge(Map.of("same", "1", "other", "2", "new", "3")).changes(false))
                .extracting(Object::toString)
                .containsExactly("new: (none) -> '3'", "other: '1' -> '2'");
    }

    @Test
    void changes_deleteMissing_leavesSecretsAlone() {
        assertThat(merge(Map.of("same", "1", "other", "1")).changes(true))
                .extracting(Object::toString)
                .containsExactly("gone: '1' -> (none)");
    }

    @Test
    void changes_ofASecret_areSecret() {
        assertThat(merge(Map.of("password", "correct horse")).changes(false))
                .extracting(Object::toString)
                .containsExactly("password: (secret) -> (secret)");
    }

    @Test
    void changes_deleteMissing_leavesAloneWhatTheFileKnowsAsSecret() {
        assertThat(new Merge(present, new TreeMap<>(Map.of("same", "1", "other", "1")), Set.of("gone")).changes(true))
                .isEmpty();
    }

    private Merge merge(Map<String, String> values) {
        return new Merge(present, new TreeMap<>(values), Set.of());
    }
}
