package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigException;
import io.baton.config.ConfigStore;
import io.baton.memory.MemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a commit that does not fit into one transaction of the store. */
class CommitSizesTest {

    private Coordinator baton;
    private ConfigStore config;

    @BeforeEach
    void open() throws InterruptedException {
        baton = Coordinator.connect("mem:commit-sizes");
        config = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("commit-sizes");
    }

    @Test
    void commit_tooLarge_isRefusedWithTheNumbers() throws InterruptedException {
        int limit = baton.guarantees().maxBytes();
        String large = "x".repeat(limit / 3 - 1_000);
        config.edit().put("big", large).commit();
        config.edit().put("big", large + "y").commit();

        assertThatThrownBy(() -> config.edit().put("big", "z".repeat(limit / 2)).commit())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("this store takes " + limit)
                .hasMessageContaining("'big' has " + (limit / 3 - 999) + " bytes before and " + limit / 2 + " after");
        assertThat(config.history(5)).hasSize(2);
    }

    @Test
    void commit_asManyKeysAsThereIsRoomFor_areWritten() throws InterruptedException {
        int most = (baton.guarantees().maxOps() - 4) / 2;
        ConfigEdit all = config.edit();
        for (int i = 0; i < most; i++) {
            all.put("k" + i, "1");
        }

        assertThat(all.commit().change()).isEqualTo(1);
    }

    @Test
    void commit_tooManyKeys_isRefusedWithTheNumbers() {
        int most = (baton.guarantees().maxOps() - 4) / 2;
        ConfigEdit all = config.edit();
        for (int i = 0; i <= most; i++) {
            all.put("k" + i, "1");
        }

        assertThatThrownBy(all::commit)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a change of " + (most + 1) + " keys")
                .hasMessageContaining("takes " + baton.guarantees().maxOps());
    }
}
