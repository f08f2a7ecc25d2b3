package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigException;
import io.baton.config.ConfigRetention;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
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

    private void largeChanges(int from, int to) throws InterruptedException {
        for (int i = from; i <= to; i++) {
            config.edit().put("large", i + "x".repeat(50_000)).commit();
        }
    }

    /** What the records of the history really take. */
    private long bytes() throws InterruptedException {
        long bytes = 0;
        for (ConfigEntry entry : config.history(10_000)) {
            String name = String.format("%016d", entry.change());
            bytes += baton.records("config.history").get(name).orElseThrow().value().length;
        }
        return bytes;
    }

    @Test
    void commit_moreBytesThanAreKept_takesTheOldestAway() throws InterruptedException {
        config.retain(1_000, 1_000_000);

        for (int i = 1; i <= 30; i++) {
            largeChanges(i, i);
            assertThat(bytes()).isLessThanOrEqualTo(1_000_000);
            assertThat(config.retention().keptBytes()).isEqualTo(bytes());
        }

        assertThat(config.history(1_000)).hasSize(9);
        assertThat(config.history(1).get(0).change()).isEqualTo(30);
        assertThat(config.retention()).isEqualTo(new ConfigRetention(1_000, 1_000_000, 9, bytes()));
    }

    @Test
    void commit_byDefault_keepsSixteenMebibytes() throws InterruptedException {
        assertThat(config.retention()).isEqualTo(new ConfigRetention(1_000, 16 << 20, 0, 0));
        for (int i = 0; i < 30; i++) {
            config.edit().put("large", i + "x".repeat(340_000)).commit();
        }

        assertThat(bytes()).isBetween(15L << 20, 16L << 20);
        assertThat(config.history(1).get(0).change()).isEqualTo(30);
    }

    @Test
    void commit_newestAloneIsTooMuch_isKept() throws InterruptedException {
        config.retain(1_000, 10);
        largeChanges(1, 3);

        assertThat(config.history(10)).extracting(ConfigEntry::change).containsExactly(3L);
        assertThat(config.rollback(2).commit().change()).isEqualTo(4);
    }

    @Test
    void retain_fewerBytes_takesAwayAtOnce() throws InterruptedException {
        largeChanges(1, 40);
        config.retain(1_000, 1_000_000);
        assertThat(bytes()).isBetween(850_000L, 1_000_000L);

        config.retain(2);
        assertThat(config.retention().changes()).isEqualTo(2);
        assertThat(config.retention().bytes()).isEqualTo(1_000_000);
        assertThat(config.history(10)).hasSize(2);
        assertThatThrownBy(() -> config.retain(2, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void commit_largeOnesAfterManySmallOnes_areSoonWithinTheBytes() throws InterruptedException {
        changes(1, 300);
        config.retain(1_000, 300_000);
        largeChanges(1, 10);

        assertThat(bytes()).isLessThanOrEqualTo(300_000);
        assertThat(config.history(1).get(0).change()).isEqualTo(310);
    }

    @Test
    void commit_batonsRecordGone_countsWhatIsThere() throws InterruptedException {
        largeChanges(1, 12);
        baton.records("config").delete("$baton");
        assertThat(config.retention().keptBytes()).isEqualTo(bytes());

        config.retain(1_000, 500_000);
        assertThat(bytes()).isLessThanOrEqualTo(500_000);
    }
}
