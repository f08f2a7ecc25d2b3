package io.baton.config.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.LiveConfig;
import io.baton.config.Rig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the cache file at which moment. */
class CacheWriterTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Rig rig = new Rig("cache-writer");

    @TempDir
    Path directory;

    private Path path() {
        return directory.resolve("sub/cache");
    }

    private Map<String, ConfigValue> kept() {
        return new CacheFile(path()).read("config", "").orElseThrow().values();
    }

    @Test
    void applied_isInTheFile_rejectedIsNot() {
        rig.write("a", "1");
        LiveConfig config = rig.open(rig.builder().cache(path()));
        assertThat(kept().get("a").text()).isEqualTo("1");
        config.bind("a", Integer.class);
        rig.write("a", "2");
        rig.write("a", "x");

        assertThat(kept().get("a").text()).isEqualTo("2");
    }

    @Test
    void disk_cannotBeWritten_hurtsNobodyAndIsTriedAgain() throws Exception {
        Files.createFile(directory.resolve("sub"));
        rig.write("a", "1");
        LiveConfig config = rig.open(rig.builder().cache(path()));
        rig.pass(Duration.ofMinutes(1));
        rig.write("a", "2");
        assertThat(config.get("a")).contains("2");
        rig.pass(Duration.ofSeconds(30));

        Files.delete(directory.resolve("sub"));
        rig.pass(Duration.ofSeconds(30));

        assertThat(kept().get("a").text()).isEqualTo("2");
    }

    /** Each change soon after the one before has to wait for the pause after that one's write. */
    @Test
    void close_lastValueIsNotWrittenYet_waitsForIt() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:cache-writer-close")) {
            ConfigStore store = ConfigStore.of(baton);
            for (int i = 0; i < 20; i++) {
                String value = "value " + i;
                try (LiveConfig config = LiveConfig.builder(baton).cache(path()).open()) {
                    var unused = config.awaitRevision(
                            store.edit().put("a", "before " + i).commit().revision(), LIMIT);
                    var unusedEither = config.awaitRevision(
                            store.edit().put("a", value).commit().revision(), LIMIT);
                }
                assertThat(kept().get("a").text()).isEqualTo(value);
            }
        }
    }

    /** Whoever looks all the time sees a value as soon as it is in use, and closes before anything else has heard. */
    @Test
    void close_lastValueHasJustComeIntoUse_isKept() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:cache-writer-at-once")) {
            ConfigStore store = ConfigStore.of(baton);
            for (int i = 0; i < 50; i++) {
                String value = "value " + i;
                try (LiveConfig config = LiveConfig.builder(baton).cache(path()).open()) {
                    store.edit().put("a", value).commit();
                    long end = System.nanoTime() + LIMIT.toNanos();
                    while (!config.get("a").equals(Optional.of(value)) && System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                }
                assertThat(kept().get("a").text()).isEqualTo(value);
            }
        }
    }
}
