package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.config.Binding;
import io.baton.config.Canary;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.baton.examples.Payments.PaymentSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PaymentsTest {

    @Test
    void settings_changedWellAndBadly_areTheLastGoodOnes() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:payments");
                LiveConfig config = LiveConfig.builder(baton)
                        .defaults(Map.of("payments.bank.password", "none"))
                        .environment("SHOP_", Map.of("SHOP_PAYMENTS_BANK_URL", "https://test.example"))
                        .open()) {
            Binding<PaymentSettings> settings = Payments.settings(config);
            assertThat(config.status().source()).isEqualTo(ConfigSource.LIVE);
            assertThat(settings.get().timeout()).isEqualTo(Duration.ofSeconds(3));
            assertThat(settings.get().bank().url()).isEqualTo("https://test.example");
            assertThat(settings.get().retry().statuses()).isEqualTo(List.of(502, 503));

            assertThat(Payments.slowBank(baton, config)).isTrue();
            assertThat(settings.get().timeout()).isEqualTo(Duration.ofSeconds(5));
            assertThat(settings.get().retry().limit()).isEqualTo(2);

            ConfigStore.of(baton).edit().put("payments.timeout", "15s").commit();
            await().until(() -> config.status().rejection().isPresent());
            assertThat(config.status().rejection().orElseThrow().reason()).contains("timeout must be below 10s");
            assertThat(settings.get().timeout()).isEqualTo(Duration.ofSeconds(5));

            // As another program does it.
            baton.records("config").put("payments.timeout", "4s".getBytes(UTF_8));
            await().until(() -> settings.get().timeout().equals(Duration.ofSeconds(4)));
            assertThat(config.status().rejection()).isEmpty();
            assertThat(config.explain("payments.timeout").layers().get(0).name())
                    .isEqualTo("store");
        }
    }

    @Test
    void killSwitch_anotherBindingRejectsTheRevision_takesEffect() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:payments-switch");
                LiveConfig config = LiveConfig.builder(baton)
                        .defaults(Map.of("payments.bank.password", "none"))
                        .open()) {
            Binding<PaymentSettings> settings = Payments.settings(config);
            Binding<Boolean> enabled = Payments.killSwitch(config);
            assertThat(enabled.get()).isTrue();

            ConfigStore.of(baton)
                    .edit()
                    .put("payments.timeout", "15s")
                    .put("payments.enabled", "false")
                    .commit();

            await().until(() -> !enabled.get());
            assertThat(settings.get().timeout()).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    void trySlowBank_always_leavesTheValuesOfAllAsTheyAre() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:payments-canary")) {
            Canary canary = Payments.trySlowBank(baton);

            assertThat(ConfigStore.of(baton).canary().orElseThrow().labels()).isEqualTo(Map.of("zone", "a"));
            assertThat(ConfigStore.of(baton).get("payments.timeout")).isEmpty();
            ConfigStore.of(baton).abort(canary.id());
            assertThat(ConfigStore.of(baton).canary()).isEmpty();
        }
    }
}
