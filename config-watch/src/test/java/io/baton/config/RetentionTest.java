package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.memory.MemoryStore;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RetentionTest {

    private Coordinator baton;
    private ConfigStore config;

    @BeforeEach
    void open() throws InterruptedException {
        baton = Coordinator.connect("mem:retention");
        config = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("retention");
    }

    private void changes(int from, int to) throws InterruptedException {
        for (int i = from; i <= to; i++) {
            config.edit().put("a", String.valueOf(i)).commit();
        }
    }

    @Test
    void retain_fewerThanThereAre_keepsTheLast() throws InterruptedException {
        changes(1, 130);
        config.retain(5);

        assertThat(config.history(1_000)).extracting(ConfigEntry::change).containsExactly(130L, 129L, 128L, 127L, 126L);
        assertThat(config.change(125)).isEmpty();
        assertThat(config.diff(125, 130))
                .containsExactly(new KeyChange("a", Optional.of("125"), Optional.of("130"), false));
        assertThatThrownBy(() -> config.diff(124, 130))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the oldest change kept is 126");
        assertThatThrownBy(() -> config.rollback(3)).hasMessageContaining("the oldest change kept is 126");
    }

    @Test
    void commit_moreThanAreKept_takesTheOldestAway() throws InterruptedException {
        config.retain(3);
        changes(1, 10);

        assertThat(config.history(1_000)).extracting(ConfigEntry::change).containsExactly(10L, 9L, 8L);
        assertThat(baton.records("config.history").get("0000000000000007")).isEmpty();
        assertThat(baton.records("config.history").get("0000000000000008")).isPresent();
    }

    @Test
    void retain_more_keepsMoreFromThenOn() throws InterruptedException {
        config.retain(1);
        changes(1, 3);
        config.retain(2);
        changes(4, 6);

        assertThat(config.history(1_000)).extracting(ConfigEntry::change).containsExactly(6L, 5L);
        assertThatThrownBy(() -> config.retain(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
