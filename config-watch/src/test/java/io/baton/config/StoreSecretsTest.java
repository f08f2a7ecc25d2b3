package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.memory.MemoryStore;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StoreSecretsTest {

    private Coordinator baton;
    private ConfigStore config;

    @BeforeEach
    void open() throws InterruptedException {
        baton = Coordinator.connect("mem:store-secrets");
        config = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("store-secrets");
    }

    @Test
    void secret_marked_isShownByNothing() throws InterruptedException {
        config.edit().put("password", "hunter2").secret("password").commit();
        config.edit().put("password", "hunter3").put("a", "1").commit();

        assertThat(config.get("password").orElseThrow().secret()).isTrue();
        assertThat(config.get("password").toString()).doesNotContain("hunter");
        assertThat(config.list("").toString()).doesNotContain("hunter").contains("a=1");
        assertThat(config.history(9).toString()).doesNotContain("hunter").contains("(none) -> '1'");
        assertThat(config.diff(0, 2).toString()).doesNotContain("hunter");
    }

    @Test
    void secret_deletedAndWrittenAgain_isSecretStill() throws InterruptedException {
        config.edit().put("password", "hunter2").secret("password").commit();
        config.edit().delete("password").commit();
        config.edit().put("password", "hunter3").commit();

        assertThat(config.get("password").orElseThrow().secret()).isTrue();
    }

    @Test
    void secret_markedLater_earlierTextsAreSecretToo() throws InterruptedException {
        config.edit().put("password", "hunter2").commit();
        config.edit().secret("password").commit();

        assertThat(config.change(1).orElseThrow().toString()).doesNotContain("hunter");
        assertThat(config.change(2).orElseThrow().changes()).hasSize(1);
    }

    @Test
    void notSecret_takesTheMarkAwayButNotFromTheHistory() throws InterruptedException {
        config.edit().put("password", "hunter2").secret("password").commit();
        config.edit().put("password", "public").notSecret("password").commit();
        config.edit().put("password", "public too").commit();

        assertThat(config.get("password").orElseThrow().secret()).isFalse();
        assertThat(config.history(9).toString()).doesNotContain("hunter").contains("public too");
        assertThatThrownBy(() -> config.edit().notSecret("password").commit()).hasMessageContaining("nothing to write");
    }

    @Test
    void notSecret_afterAMarkThatCameLate_earlierTextsStaySecret() throws InterruptedException {
        config.edit().put("password", "hunter1").commit();
        config.edit().put("password", "hunter2").commit();
        config.edit().secret("password").commit();
        config.edit().put("password", "public").notSecret("password").commit();
        config.edit().put("password", "public too").commit();

        assertThat(config.history(9).toString()).doesNotContain("hunter").contains("public too");
        assertThat(config.change(1).orElseThrow().toString()).doesNotContain("hunter");
        for (long from = 0; from <= 5; from++) {
            for (long to = 0; to <= 5; to++) {
                assertThat(config.diff(from, to).toString()).doesNotContain("hunter");
            }
        }
        assertThat(config.rollback(2).preview().toString()).doesNotContain("hunter");
        config.retain(1);
        assertThat(baton.records("config").get("$baton").orElseThrow().text()).doesNotContain("password");
    }

    @Test
    void rollback_toATextThatWasSecret_marksItAgain() throws InterruptedException {
        config.edit().put("password", "hunter2").secret("password").commit();
        config.edit().put("password", "public").notSecret("password").commit();
        config.edit().put("password", "public too").put("a", "1").commit();

        config.rollback(2).commit();
        assertThat(config.get("password").orElseThrow().secret()).isFalse();
        config.rollback(1).commit();

        assertThat(config.get("password").orElseThrow().secret()).isTrue();
        assertThat(config.history(9).toString()).doesNotContain("hunter");
        assertThat(config.diff(0, 5).toString()).doesNotContain("hunter");
    }

    @Test
    void secret_markedWhileACanaryIsUnderWay_isShownByNothing() throws InterruptedException {
        config.edit().put("password", "hunter2").commit();
        try (LiveConfig live = LiveConfig.builder(baton).instance("a").open()) {
            await().until(() -> config.fleet().size() == 1);
            Canary canary = config.edit().put("password", "hunter3").canary(Map.of(), 100);
            config.edit().secret("password").commit();

            assertThat(config.canary().orElseThrow().toString()).doesNotContain("hunter");
            await().until(() -> live.status().canary().equals(Optional.of(canary.id())));
            await().until(() -> live.snapshot().value("password").orElseThrow().secret());
            assertThat(live.snapshot().value("password").orElseThrow().toString())
                    .doesNotContain("hunter");
            config.promote(canary.id());
        }
        assertThat(config.history(9).toString()).doesNotContain("hunter");
    }
}
