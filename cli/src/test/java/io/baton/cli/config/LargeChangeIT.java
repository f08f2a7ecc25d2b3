package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigPart;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Imports and rollbacks of more keys than fit into one transaction, by processes that are killed in the middle of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
class LargeChangeIT {

    private static final int MANY = 1_000;

    /** Long enough that it takes a while, and several transactions on every store. */
    private static final String FILLING = "x".repeat(4_000);

    private static final int ATTEMPTS = 10;

    @TempDir
    Path directory;

    private TestStore store;
    private Coordinator baton;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    @BeforeAll
    void startServer() throws InterruptedException {
        store = start();
        baton = Coordinator.connect(store.uri("large"));
    }

    @AfterAll
    void stopServer() {
        baton.close();
        store.close();
    }

    private ConfigStore space(String space) {
        return ConfigStore.of(baton, space);
    }

    private static String key(int i) {
        return "key-" + (MANY + i);
    }

    private Path file(String name, String text) throws IOException {
        var values = new TreeMap<String, String>();
        for (int i = 0; i < MANY; i++) {
            values.put(key(i), text + i);
        }
        return Files.writeString(directory.resolve(name), new Exported(values, new TreeSet<>()).write(FileFormat.json));
    }

    private List<String> line(String space, String command, String... args) {
        var line = new ArrayList<>(List.of("config", command, "--connect", store.uri("large"), "--space", space));
        line.addAll(List.of(args));
        return line;
    }

    private Captured config(String space, String command, String... args) {
        return Captured.run(line(space, command, args).toArray(String[]::new));
    }

    private String done(String space, String command, String... args) {
        Captured run = config(space, command, args);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    /** Writes something in parts by a process that is killed once there are more changes than before; false if that came too late. */
    private boolean killedInTheMiddle(String space, String command, String... args) throws InterruptedException {
        ConfigStore store = space(space);
        long before = newest(store).map(ConfigEntry::change).orElse(0L);
        try (BatonProcess process = BatonProcess.start(directory, Map.of(), line(space, command, args))) {
            while (newest(store).map(ConfigEntry::change).orElse(0L) == before && process.alive()) {
                Thread.onSpinWait();
            }
            process.handle().destroyForcibly();
            process.statusWithin(20);
        }
        ConfigPart part = newest(store).orElseThrow().part().orElseThrow();
        return !part.last();
    }

    private static Optional<ConfigEntry> newest(ConfigStore store) throws InterruptedException {
        return store.history(1).stream().findFirst();
    }

    private void holds(String space, String text) throws InterruptedException {
        Map<String, ConfigValue> values = space(space).list("");
        assertThat(values).hasSize(MANY);
        for (int i = 0; i < MANY; i++) {
            assertThat(values.get(key(i)).text()).isEqualTo(text + i);
        }
    }

    /** That the history has one change of all keys at the top, which took several parts with one id; its number of parts. */
    private int oneChange(String space) {
        String json = done(space, "history", "--json", "--limit", "1");
        int parts = Integer.parseInt(json.replaceAll("(?s).*\"parts\":(\\d+),.*", "$1"));
        assertThat(json).contains("\"part\":" + parts + ",");
        assertThat(json.split("\"key\":", -1)).hasSize(MANY + 1);
        assertThat(done(space, "history", "--limit", "1").lines().findFirst().orElseThrow())
                .contains("(" + parts + " parts)");
        return parts;
    }

    @Test
    void import_killedInTheMiddle_isCompletedByTheSameCommand() throws Exception {
        Path all = file("all.json", FILLING);
        for (int i = 0; i < ATTEMPTS; i++) {
            String space = "import" + i;
            if (killedInTheMiddle(space, "import", "--in-parts", all.toString())) {
                assertThat(space(space).list("")).hasSizeBetween(1, MANY - 1);
                assertThat(done(space, "history")).contains("(unfinished: parts 1 to ");
                int total =
                        newest(space(space)).orElseThrow().part().orElseThrow().total();

                assertThat(done(space, "import", "--in-parts", all.toString())).contains(" in " + total + " parts");

                holds(space, FILLING);
                assertThat(oneChange(space)).isEqualTo(total);
                assertThat(done(space, "import", "--in-parts", all.toString())).isEqualTo("nothing to change\n");
                return;
            }
        }
        throw new AssertionError("never killed in the middle");
    }

    @Test
    @Tag("long")
    void rollback_killedInTheMiddle_isCompletedByTheSameCommand() throws Exception {
        String space = "rollback";
        done(space, "import", "--in-parts", file("first.json", FILLING).toString());
        String wanted = Long.toString(newest(space(space)).orElseThrow().change());
        String second = file("second.json", "second").toString();
        for (int i = 0; i < ATTEMPTS; i++) {
            done(space, "import", "--in-parts", second);
            Captured dry = config(space, "rollback", "--dry-run", wanted);
            assertThat(dry.status()).isEqualTo(64);
            assertThat(dry.err())
                    .contains("a change of 1000 keys", "--in-parts")
                    .hasLineCount(1);
            if (killedInTheMiddle(space, "rollback", "--in-parts", wanted)) {
                assertThat(space(space).list("").values())
                        .extracting(value -> value.text().startsWith("second"))
                        .contains(true, false);

                assertThat(done(space, "rollback", "--in-parts", wanted)).contains(" parts, revision ");

                holds(space, FILLING);
                oneChange(space);
                return;
            }
        }
        throw new AssertionError("never killed in the middle");
    }

    @Test
    void dryRun_ofWhatDoesNotFit_saysWhatTheRunWouldSay() throws Exception {
        String all = file("small.json", "").toString();
        Captured dry = config("dry", "import", "--dry-run", all);
        Captured run = config("dry", "import", all);

        assertThat(dry.status()).isEqualTo(64);
        assertThat(run.status()).isEqualTo(64);
        assertThat(dry.err())
                .isEqualTo(run.err())
                .contains("a change of 1000 keys of dry does not fit into one transaction")
                .containsPattern("its first \\d+ keys do; in parts .*--in-parts .* takes \\d+ transactions")
                .hasLineCount(1);
        assertThat(done("dry", "import", "--dry-run", "--in-parts", all))
                .containsPattern("nothing written: --dry-run; it takes \\d+ parts\n$");
        int fit = Integer.parseInt(run.err().replaceAll("(?s).*its first (\\d+) keys do.*", "$1"));
        ConfigEdit fits = space("dry").edit();
        for (int i = 0; i < fit; i++) {
            fits.put(key(i), "" + i);
        }
        assertThat(fits.commit().change()).isEqualTo(1);
    }

    @Test
    void export_withSecrets_keepsTheirMarks() throws Exception {
        done("from", "set", "--secret", "password=hunter2");
        done("from", "set", "lines=a\u0085b\nc\u2028");
        for (FileFormat format : FileFormat.values()) {
            String to = "to-" + format;
            Path hidden = Files.writeString(
                    directory.resolve("hidden." + format), done("from", "export", "--format", format.name()));
            done(to, "import", hidden.toString());
            assertThat(done(to, "set", "password=hunter3")).doesNotContain("hunter");
            Path all = Files.writeString(
                    directory.resolve("all." + format), done("from", "export", "--reveal", "--format", format.name()));
            done(to, "import", all.toString());
            assertThat(done(to, "list", "--values", "password")).contains("(secret)");
            assertThat(done(to, "get", "--reveal", "password")).isEqualTo("hunter2");
            assertThat(done(to, "get", "lines")).isEqualTo("a\u0085b\nc\u2028");
            assertThat(done(to, "import", all.toString())).isEqualTo("nothing to change\n");
        }
    }
}
