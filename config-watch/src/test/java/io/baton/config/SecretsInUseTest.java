package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Secrets by the types that are bound, in what users and operators see. */
class SecretsInUseTest {

    record Bank(
            String url,
            Secret password,
            @Sensitive @DefaultValue("{}") Map<String, List<String>> keys) {}

    private final Rig rig = new Rig("secrets-in-use");

    private static List<String> marked(LiveConfig config) {
        return config.snapshot().values().values().stream()
                .filter(ConfigValue::secret)
                .map(ConfigValue::key)
                .toList();
    }

    private static String veto(Bank bank) {
        return "no login at " + bank.url() + " with " + bank.password().reveal() + " or "
                + java.net.URLEncoder.encode(bank.password().reveal(), java.nio.charset.StandardCharsets.UTF_8) + " or "
                + bank.keys();
    }

    @Test
    void snapshot_ofKeysWithSecretsOfBoundTypes_marksThem() {
        rig.write("bank.url", "u", "bank.password", "hunter2", "other", "1");
        LiveConfig config = rig.open();
        assertThat(marked(config)).isEmpty();

        config.bind("bank", Bank.class);

        assertThat(marked(config)).containsExactly("bank.password");
        assertThat(config.snapshot().value("bank.password").toString()).doesNotContain("hunter2");
        assertThat(config.snapshot().value("bank.url").orElseThrow().secret()).isFalse();
        assertThat(config.snapshot().value("none")).isEmpty();

        rig.write("a", "1", "bank.keys.x.0", "hunter3", "bank.password", "hunter4", "z", "1");
        assertThat(marked(config)).containsExactly("bank.keys.x.0", "bank.password");
        assertThat(config.snapshot().values()).hasSize(6);
        assertThat(config.snapshot().value("bank.password").orElseThrow().text())
                .isEqualTo("hunter4");

        rig.write("bank.keys.x.0", null, "bank.password", null, "bank.json", "{\"password\": \"hunter5\"}");
        assertThat(marked(config)).containsExactly("bank.json");
    }

    @Test
    void prepare_vetoThatQuotesSecrets_isToldWithoutThem() {
        rig.write("bank.url", "u", "bank.password", "hunter2&", "bank.keys", "{\"a\": [\"hunter-a\", \"b\"]}");
        LiveConfig config = rig.open(rig.builder().instance("app-1"));
        List<ConfigEvent> events = new ArrayList<>();
        config.onEvent(events::add);
        Preparation<Bank> veto = bank -> {
            throw new IllegalStateException(veto(bank));
        };
        assertThatThrownBy(
                        () -> config.binding("bank", Bank.class).prepare(veto).bind())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no login at u with (secret) or (secret) or {a=[(secret), (secret)]}")
                .hasMessageNotContaining("hunter");
        boolean[] good = {true};
        config.binding("bank", Bank.class)
                .prepare(bank -> {
                    if (!good[0]) {
                        veto.prepare(bank);
                    }
                })
                .bind();
        good[0] = false;

        rig.write("bank.url", "v", "bank.password", "hunter3");
        rig.pass(java.time.Duration.ofSeconds(5));

        assertThat(config.status().rejection().orElseThrow().reason())
                .isEqualTo("no login at v with (secret) or (secret) or {a=[(secret), (secret)]}");
        assertThat(Stream.of(events, config.status()).map(Object::toString)).noneMatch(all -> all.contains("hunter"));
    }

    @Test
    void prepare_vetoThatQuotesTheSecretInUse_isToldWithoutIt() {
        rig.write("bank.url", "u", "bank.password", "hunter2");
        LiveConfig config = rig.open(rig.builder().secret("bank.url"));
        config.binding("bank", Bank.class)
                .prepare(bank -> {
                    if (bank.url().equals("v")) {
                        throw new IllegalStateException("hunter2 is still needed, v or not");
                    }
                })
                .bind();

        rig.write("bank.url", "v", "bank.password", "hunter3");

        assertThat(config.status().rejection().map(Rejection::reason))
                .isEqualTo(Optional.of("(secret) is still needed, (secret) or not"));
    }
}
