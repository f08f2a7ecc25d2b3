package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.memory.MemoryStore;
import io.baton.testkit.sim.LossyStore;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConfigStoreTest {

    private Coordinator baton;
    private ConfigStore config;

    @BeforeEach
    void open() throws InterruptedException {
        baton = Coordinator.connect("mem:config-store");
        config = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("config-store");
    }

    @Test
    void commit_severalKeys_areThereTogether() throws InterruptedException {
        ConfigCommit commit = config.edit().put("a", "1").put("b", "2").commit();

        assertThat(commit.change()).isEqualTo(1);
        assertThat(config.get("a")).contains(new ConfigValue("a", "1", commit.revision(), false));
        assertThat(config.list("").keySet()).containsExactly("a", "b");
        assertThat(config.list("b").keySet()).containsExactly("b");
    }

    @Test
    void commit_expectationNotMet_writesNothing() throws InterruptedException {
        long first = config.edit().put("a", "1").commit().revision();
        config.edit().put("a", "2").commit();

        assertThatThrownBy(() -> config.edit()
                        .put("a", "3")
                        .put("b", "1")
                        .expect("a", first)
                        .commit())
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("'a' was written meanwhile");
        assertThat(config.get("b")).isEmpty();
        assertThat(config.history(10)).hasSize(2);
    }

    @Test
    void commit_valueWrittenWithoutBaton_isTheTextBefore() throws InterruptedException {
        config.edit().put("a", "1").commit();
        baton.records("config").put("a", "by hand".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        config.edit().put("a", "2").commit();

        assertThat(config.history(1).get(0).changes())
                .containsExactly(new KeyChange("a", Optional.of("by hand"), Optional.of("2"), false));
    }

    @Test
    void commit_changesNothing_isRefused() throws InterruptedException {
        config.edit().put("a", "1").commit();

        assertThatThrownBy(() -> config.edit().put("a", "1").delete("b").commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nothing to write");
        assertThatThrownBy(() -> config.edit().commit()).hasMessageContaining("nothing to write");
    }

    @Test
    void history_severalChanges_newestFirst() throws InterruptedException {
        config.edit().put("a", "1").author("ann").comment("first").commit();
        config.edit().put("a", "2").commit();
        config.edit().delete("a").commit();

        List<ConfigEntry> history = config.history(2);

        assertThat(history).extracting(ConfigEntry::change).containsExactly(3L, 2L);
        assertThat(config.change(1).orElseThrow().author()).isEqualTo("ann");
        assertThat(config.change(1).orElseThrow().comment()).isEqualTo("first");
        assertThat(config.change(4)).isEmpty();
    }

    @Test
    void diff_betweenChanges_isWhatDiffers() throws InterruptedException {
        config.edit().put("a", "1").put("b", "1").commit();
        config.edit().put("a", "2").commit();
        config.edit().put("a", "1").delete("b").commit();

        assertThat(config.diff(1, 3)).containsExactly(new KeyChange("b", Optional.of("1"), Optional.empty(), false));
        assertThat(config.diff(3, 2))
                .containsExactly(
                        new KeyChange("a", Optional.of("1"), Optional.of("2"), false),
                        new KeyChange("b", Optional.empty(), Optional.of("1"), false));
        assertThat(config.diff(0, 1)).hasSize(2);
        assertThat(config.diff(2, 2)).isEmpty();
        assertThatThrownBy(() -> config.diff(0, 4)).hasMessageContaining("the last one is 3");
    }

    @Test
    void rollback_severalChanges_bringsBackWhatWasThere() throws InterruptedException {
        config.edit().put("a", "1").put("b", "1").commit();
        config.edit().put("a", "2").put("c", "1").commit();
        config.edit().put("a", "3").delete("b").commit();

        ConfigCommit commit = config.rollback(1).commit();

        assertThat(commit.change()).isEqualTo(4);
        assertThat(config.list("")).hasSize(2);
        assertThat(config.get("a").orElseThrow().text()).isEqualTo("1");
        assertThat(config.get("b").orElseThrow().text()).isEqualTo("1");
        assertThat(config.history(1).get(0).comment()).isEqualTo("rollback to 1");
    }

    @Test
    void rollback_somebodyWritesBetween_isRefused() throws InterruptedException {
        config.edit().put("a", "1").commit();
        config.edit().put("a", "2").commit();
        ConfigEdit rollback = config.rollback(1);
        config.edit().put("b", "1").commit();

        assertThatThrownBy(rollback::commit)
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("change 3");
    }

    @Test
    void key_ofBatonsOwnOrUnprintable_isRefused() {
        assertThatThrownBy(() -> config.edit().put("$baton", "x"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("kept for Baton's own");
        assertThatThrownBy(() -> config.edit().put("a\nb", "x")).hasMessageContaining("control character");
        assertThatThrownBy(() -> config.edit().delete("")).hasMessageContaining("empty");
        assertThatThrownBy(() -> config.get("$canary")).isInstanceOf(ConfigException.class);
    }

    @Test
    void commit_malformedDocument_isRefusedWithThePlaceAndWithoutTheText() throws InterruptedException {
        assertThatThrownBy(() -> config.edit()
                        .put("db.json", "{\"user\": \"ann\",\n \"password\": hunter2}")
                        .secret("db.json")
                        .commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("db.json")
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> config.edit().put("db.yaml", "a: [1").commit()).hasMessageContaining("db.yaml");
        assertThat(config.history(5)).isEmpty();
        config.edit().put("db.json", "{}").put("db", "{").commit();
    }

    @Test
    void rollback_toADocumentThatAnotherProgramHasBroken_bringsItBack() throws InterruptedException {
        config.edit().put("db.json", "{}").commit();
        baton.records("config").put("db.json", "{".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        config.edit().put("db.json", "{}").commit();
        config.edit().put("db.json", "[]").commit();

        config.rollback(2).commit();
        assertThat(config.get("db.json").orElseThrow().text()).isEqualTo("{}");
        config.rollback(1).commit();
        assertThat(config.get("db.json").orElseThrow().text()).isEqualTo("{");
    }

    @Test
    void of_storeThatMayLoseAChange_isRefusedUnlessThatIsAccepted() throws Exception {
        var lossy = new LossyStore(MemoryStore.named("config-store-that-loses"));
        CoordinatorOptions.Builder options = CoordinatorOptions.builder();
        try (Coordinator wary = Coordinator.connect(lossy, options.build());
                Coordinator bold =
                        Coordinator.connect(lossy, options.acceptLoss(true).build())) {
            assertThatThrownBy(() -> ConfigStore.of(wary))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("live configuration", "may lose the latest writes", "acceptLoss(true)");
            assertThatThrownBy(() -> LiveConfig.builder(wary).open())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("acceptLoss(true)");
            assertThat(ConfigStore.of(bold).history(1)).isEmpty();
        }
    }
}
