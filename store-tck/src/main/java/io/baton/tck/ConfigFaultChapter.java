package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigCommit;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.LiveConfig;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Contact is cut at each message of a follower of a configuration and of a writer. The follower misses nothing, and
 * each change is written once.
 */
abstract class ConfigFaultChapter extends CutChapter {

    @Test
    void follow_cutAtEachMessage_isToldStatesInOrderAndTheLast() throws Exception {
        atEachMessage(Act.FOLLOW, stage -> {
            ConfigScribe scribe = new ConfigScribe(stage.steady(), stage.name());
            scribe.change(Map.of("a", "1", "b", "1"));
            stage.troubled();
            stage.arm();
            var builder = LiveConfig.builder(stage.troubled()).space(stage.name());
            try (var follower = new TckFollower(builder.startTimeout(PATIENCE).open())) {
                scribe.change(Map.of("a", "2", "b", ""));
                scribe.writePast(Map.of("b", "3"));

                follower.assertFollowed(scribe.course());
                stage.disarm();
            }
        });
    }

    /** As soon as the change is visible, another client writes {@code newer}, which must not be overwritten. */
    @Test
    void commit_cutAtEachMessage_isWrittenOnceAndSaysSo() throws Exception {
        atEachMessage(Act.COMMIT, stage -> {
            ConfigStore steady = ConfigStore.of(stage.steady(), stage.name());
            edit(steady).put("a", "old").put("b", "old").commit();
            ConfigStore store = ConfigStore.of(stage.troubled(), stage.name());

            stage.arm();
            CompletableFuture<ConfigCommit> writing = CompletableFuture.supplyAsync(() -> write(store));
            soon().until(() -> writing.isDone() || text(steady).equals("new"));
            ConfigCommit newer = edit(steady).put("a", "newer").commit();
            ConfigCommit commit = outcome(writing);
            stage.disarm();

            assertThat(commit.change()).isEqualTo(2);
            assertThat(newer.change()).isEqualTo(3);
            assertThat(text(steady)).as("was written again").isEqualTo("newer");
            assertThat(steady.get("b").map(ConfigValue::revision)).contains(commit.revision());
            assertThat(steady.history(10)).hasSize(3);
        });
    }

    private static ConfigCommit write(ConfigStore store) {
        try {
            return edit(store).put("a", "new").put("b", "new").commit();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private static String text(ConfigStore store) throws InterruptedException {
        return store.get("a").orElseThrow().text();
    }
}
