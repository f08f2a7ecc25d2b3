package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.KeyChange;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShownTest {

    private static final KeyChange CHANGE =
            new KeyChange("k\u202e", Optional.of("3s"), Optional.of("a\u001b[31m\nb"), false);

    @Test
    void change_whatWouldCommandATerminal_isShown() {
        assertThat(Shown.discreet().change(CHANGE)).isEqualTo("k\\u202e: 3s -> a\\u001b[31m b");
    }

    @Test
    void change_longValue_isCut() {
        var change = new KeyChange("k", Optional.empty(), Optional.of("x".repeat(1_000)), false);
        assertThat(Shown.discreet().change(change)).isEqualTo("k: (none) -> " + "x".repeat(60) + "...");
    }

    @Test
    void change_secret_isShownToWhoMayOnly() {
        var change = new KeyChange("k", Optional.of("hunter2"), Optional.of(""), true);
        assertThat(Shown.discreet().change(change)).isEqualTo("k: (secret) -> (secret)");
        assertThat(new Shown(true).change(change)).isEqualTo("k: hunter2 -> ''");
        assertThat(Shown.discreet().json(change))
                .isEqualTo("{\"key\":\"k\",\"before\":null,\"now\":null,\"deleted\":false,\"secret\":true}");
        assertThat(new Shown(true).json(change)).contains("\"before\":\"hunter2\",\"now\":\"\"");
    }

    @Test
    void json_foreignText_isHarmlessAndWhole() {
        assertThat(Shown.discreet().json(CHANGE))
                .isEqualTo("{\"key\":\"k\\u202e\",\"before\":\"3s\",\"now\":\"a\\u001b[31m\\u000ab\","
                        + "\"deleted\":false,\"secret\":false}");
    }
}
