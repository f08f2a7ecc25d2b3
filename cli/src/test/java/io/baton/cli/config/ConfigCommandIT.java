package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.config.LiveConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What is read, written and looked back upon. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfigCommandIT {

    private static final String PLANTED = "hunter2";

    @TempDir
    Path directory;

    private TestStore store;
    private String space = "";

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    @BeforeAll
    void startServer() {
        store = start();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @BeforeEach
    void ownSpace(TestInfo test) {
        space = test.getTestMethod().orElseThrow().getName().split("_", 2)[0];
    }

    @Test
    void set_newAndChangedValues_printsWhatBecameOfThem() {
        assertThat(done("set", "timeout", "3s")).startsWith("timeout: (none) -> 3s\nchange 1, revision ");
        assertThat(done("set", "timeout=5s", "retries=-1", "--comment", "slow bank"))
                .startsWith("retries: (none) -> -1\ntimeout: 3s -> 5s\nchange 2, revision ");
        assertThat(done("set", "retries", "-2", "--json"))
                .matches("\\{\"change\":3,\"revision\":\\d+,\"changes\":\\[\\{\"key\":\"retries\",\"before\":\"-1\","
                        + "\"now\":\"-2\",\"deleted\":false,\"secret\":false}]}\n");
        assertThat(done("get", "timeout")).isEqualTo("5s");
        assertThat(done("set", "timeout", "5s")).isEqualTo("nothing to change\n");
        assertThat(done("list")).matches("(?s)  KEY +REVISION\n  retries +\\d+\n  timeout +\\d+\n");
        assertThat(done("list", "--values", "ti")).matches("(?s)  KEY +REVISION +VALUE\n  timeout +\\d+ +5s\n");
        assertThat(done("list", "x")).isEqualTo("no keys in 'set' that begin so\n");
    }

    @Test
    void expect_otherRevision_isRefusedAndSaysWhatIsThere() {
        done("set", "timeout", "3s", "--expect", "0");
        String revision = done("get", "--json", "timeout").replaceAll(".*\"revision\":(\\d+).*\n", "$1");
        done("set", "timeout", "4s", "--expect", revision);
        Captured late = config("set", "timeout", "5s", "--expect", revision);
        refused(late, 75, "not written: 'timeout' is 4s of revision ");
        refused(config("set", "other", "1", "--expect", revision), 75, "not written: 'other' is not there");
        assertThat(done("get", "timeout")).isEqualTo("4s");
    }

    @Test
    void get_oddText_isPrintedAsItIs() throws IOException {
        String odd = "\u001b[31m\n\n  \u65e5\u672c \ud83d\ude00\t\n\n";
        Path file = Files.writeString(directory.resolve("odd"), odd);
        done("set", "odd key/../\u00e9", "@" + file);
        assertThat(done("get", "odd key/../\u00e9")).isEqualTo(odd);
        assertThat(done("get", "--json", "odd key/../\u00e9")).doesNotContain("\u001b");
        assertThat(done("list", "--values") + done("history")).doesNotContain("\u001b");
        assertThat(done("set", "empty", "")).startsWith("empty: (none) -> ''\n");
        assertThat(done("get", "empty")).isEmpty();
        Captured none = config("get", "none");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).isEqualTo("baton: there is no 'none' in 'get'\n");
        assertThat(config("get", "--json", "none").out())
                .isEqualTo("{\"key\":\"none\",\"value\":null,\"revision\":null,\"secret\":false}\n");
    }

    @Test
    void refused_whatCannotBeStored_saysWhy() throws IOException {
        Path large = Files.writeString(directory.resolve("large"), "x".repeat(3_000_000));
        refused(config("set", "doc.json", "{\"a\": x"), 64, "doc.json is not valid JSON");
        assertThat(config("set", "doc.json", "{\"a\": x").err())
                .contains("line 1")
                .contains("column");
        refused(config("set", "doc.yaml", "a: [1"), 64, "doc.yaml is not valid YAML");
        refused(config("set", "large", "@" + large), 64, "'large'");
        refused(config("set", "$baton", "x"), 64, "$baton");
        refused(config("set", "", "x"), 64, "empty");
        assertThat(done("list")).isEqualTo("no keys in 'refused'\n");
    }

    @Test
    void history_changes_areToldWithAuthorAndComment() {
        done("set", "a=1", "b=1", "--author", "ann", "--comment", "first\u001b[31m");
        done("set", "a", "2", "--author", "ben");
        done("delete", "b", "--author", "ben");
        assertThat(done("history").replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d", "TIME"))
                .isEqualTo("3  TIME  ben\n    b: 1 -> (none)\n2  TIME  ben\n    a: 1 -> 2\n"
                        + "1  TIME  ann  first\\u001b[31m\n    a: (none) -> 1\n    b: (none) -> 1\n");
        assertThat(done("history", "--limit", "1", "a")).startsWith("2  ").hasLineCount(2);
        assertThat(done("history", "--json", "--limit", "1"))
                .startsWith("[{\"change\":3,\"revision\":")
                .contains(
                        "\"author\":\"ben\",\"comment\":\"\",\"changes\":[{\"key\":\"b\",\"before\":\"1\",\"now\":null,"
                                + "\"deleted\":true,\"secret\":false}]}]");
        assertThat(done("diff")).isEqualTo("b: 1 -> (none)\n");
        assertThat(done("diff", "1")).isEqualTo("a: 1 -> 2\nb: 1 -> (none)\n");
        assertThat(done("diff", "0", "2")).isEqualTo("a: (none) -> 2\nb: (none) -> 1\n");
        assertThat(done("diff", "3", "3")).isEqualTo("nothing differs between change 3 and change 3\n");
        assertThat(done("diff", "--json", "1", "2"))
                .isEqualTo("{\"from\":1,\"to\":2,\"changes\":[{\"key\":\"a\",\"before\":\"1\",\"now\":\"2\","
                        + "\"deleted\":false,\"secret\":false}]}\n");
        refused(config("diff", "1", "99"), 64, "99");
        assertThat(config("delete", "b").status()).isEqualTo(1);
    }

    @Test
    void retain_changesAndBytes_areKeptFromThenOn() {
        assertThat(done("retain")).isEqualTo("keeps 1000 changes, and 16 MiB of them; there are 0, of 0 bytes\n");
        for (int i = 1; i <= 5; i++) {
            done("set", "a", i + "x".repeat(1_000));
        }
        assertThat(done("retain", "--changes", "4"))
                .startsWith("keeps 4 changes, and 16 MiB of them; there are 4, of ");
        assertThat(done("retain", "--bytes", "5K", "--json"))
                .startsWith("{\"changes\":4,\"bytes\":5120,\"keptChanges\":2,\"keptBytes\":");
        assertThat(done("history", "--limit", "1")).startsWith("5  ");
        assertThat(done("history").lines().filter(line -> !line.startsWith(" ")))
                .hasSize(2);
        refused(config("retain", "--changes", "0"), 64, "at least 1");
        refused(config("retain", "--bytes", "5 MB"), 64, "is no size as 16M");
    }

    @Test
    void rollback_earlierChange_bringsItsValuesBack() {
        done("set", "a=1", "b=1");
        done("set", "a=2", "c=2");
        assertThat(done("rollback", "1", "--dry-run"))
                .isEqualTo("a: 2 -> 1\nc: 2 -> (none)\nnothing written: --dry-run\n");
        assertThat(done("get", "a")).isEqualTo("2");
        assertThat(done("rollback", "1")).startsWith("a: 2 -> 1\nc: 2 -> (none)\nchange 3, revision ");
        assertThat(done("get", "a")).isEqualTo("1");
        assertThat(done("rollback", "1")).isEqualTo("nothing to change\n");
        refused(config("rollback", "99"), 64, "99");
    }

    @Test
    void export_everyFormat_isImportedElsewhere() throws IOException {
        done("set", "a=1", "doc.yaml=x: [1]\ny: 'z'", "empty=");
        for (FileFormat format : FileFormat.values()) {
            Path file =
                    Files.writeString(directory.resolve("all." + format), done("export", "--format", format.name()));
            space = "import-" + format;
            done("set", "b=2", "empty=", "$x-no=1".replace("$", ""));
            assertThat(done("import", file.toString(), "--dry-run", "--delete-missing"))
                    .contains("a: (none) -> 1\n", "b: 2 -> (none)\n", "nothing written: --dry-run\n")
                    .doesNotContain("empty");
            assertThat(done("import", file.toString(), "--delete-missing")).contains("\nchange 2, revision ");
            assertThat(done("import", file.toString(), "--delete-missing")).isEqualTo("nothing to change\n");
            assertThat(done("export", "--format", format.name())).isEqualTo(Files.readString(file));
            space = "export";
        }
    }

    @Test
    void canary_abortedAndPromoted_isInUseForAllWhenPromotedOnly() throws Exception {
        assertThat(config("canary", "status").status()).isEqualTo(1);
        assertThat(config("canary", "promote").err()).isEqualTo("baton: there is no canary in 'canary'\n");
        done("set", "a", "1");
        assertThat(done("set", "a", "2", "--canary", "20%", "--label", "zone=b", "--author", "ann"))
                .startsWith("canary ")
                .contains(" by ann, ", ": in 20% of the instances with zone=b\n    a: 1 -> 2\n0 of the 0 chosen");
        refused(config("set", "a", "3", "--canary", "5%"), 75, "one at a time");
        String revision = done("get", "a", "--json").replaceFirst("(?s).*\"revision\":(\\d+).*", "$1");
        refused(config("set", "a", "3", "--expect", revision, "--canary", "5%"), 75, "one at a time");
        assertThat(done("canary", "status", "--json"))
                .contains("\"percent\":20,\"labels\":{\"zone\":\"b\"},\"held\":null,\"lasts\":900,")
                .contains("\"chosen\":0,\"running\":0,\"objections\":[\"no instance was chosen to try it\"],")
                .contains("\"changes\":[{");
        assertThat(done("canary", "abort")).endsWith(" was taken back\n");
        assertThat(done("get", "a")).isEqualTo("1");
        try (Coordinator web = Coordinator.connect(store.uri("cli"))) {
            follow(web);
            done("set", "a", "3", "--canary", "100%");
            assertThat(done("canary", "promote")).startsWith("a: 1 -> 3\nchange 2, revision ");
        }
        Captured alone = config("set", "a", "4", "--canary", "100%", "--promote-after", "1ms");
        assertThat(alone.status()).isEqualTo(75);
        assertThat(alone.err()).contains("the canary was taken back: no instance is among 100% of the instances");
        assertThat(done("get", "a") + config("canary", "status").status()).isEqualTo("31");
        assertThat(done("status"))
                .isEqualTo("no instance with a name (LiveConfig.builder(...).instance(id)); the newest change is 2\n");
    }

    @Test
    void get_secret_printsNothingAndIsAStatusOfItsOwn() {
        done("set", "--secret", "password", PLANTED);
        Captured hidden = config("get", "password");
        assertThat(hidden).isEqualTo(new Captured(77, "", "baton: 'password' is secret: --reveal shows it\n"));
        assertThat(done("get", "--reveal", "password")).isEqualTo(PLANTED);
        assertThat(done("get", "--json", "password")).contains("\"value\":null", "\"secret\":true");
    }

    @Test
    void import_secretKeyThatTheFileLacks_isRefusedAndNothingIsWritten() throws IOException {
        Path file = Files.writeString(
                directory.resolve("all.json"), "{\"db.password\": \"" + PLANTED + "\", \"$secrets\": [\"token\"]}");
        String all = file.toString();
        Captured misspelt = config("import", all, "--secret", "token", "--secret", "db.pasword");
        refused(misspelt, 64, "--secret: there is no key 'db.pasword' in '" + all + "'; did you mean 'db.password'?");
        Captured withValue = config("import", all, "--secret", "db.password=" + PLANTED);
        refused(withValue, 64, "did you mean 'db.password'?");
        assertThat(all(misspelt, withValue)).doesNotContain(PLANTED);
        assertThat(done("list")).isEqualTo("no keys in 'import'\n");
        assertThat(done("import", all, "--secret", "token", "--secret", "db.password"))
                .doesNotContain(PLANTED)
                .contains("db.password: (none) -> (secret)");
    }

    @Test
    void secrets_everywhere_areShownToWhoMayOnly() throws Exception {
        String printed = done("set", "--secret", "password=" + PLANTED, "doc.json=\"" + PLANTED + "\"");
        printed += done("set", "password", PLANTED + "2");
        printed += all(config("get", "password"), config("get", "--json", "password"));
        printed += all(config("set", "password", "x", "--expect", "1"));
        printed += all(config("set", "doc.json", "{\"a\": " + PLANTED), config("set", "doc.json", PLANTED));
        printed += all(config("set", "password", PLANTED, PLANTED), config("set", "password=1", PLANTED));
        printed += all(config("set", "password", "@" + PLANTED), config("set", "a", "b", "--" + PLANTED));
        printed += done("list", "--values") + done("list", "--values", "--json");
        printed += done("history") + done("history", "--json") + done("diff", "0") + done("diff", "0", "--json");
        printed += done("rollback", "1", "--dry-run") + done("rollback", "1", "--dry-run", "--json");
        printed += all(config("export"), config("export", "--format", "yaml"));
        Path file = Files.writeString(directory.resolve("secret.json"), "{\"password\": \"" + PLANTED + "3\"}");
        printed += done("import", file.toString(), "--dry-run") + done("import", file.toString(), "--json");
        printed += all(config(
                "import",
                Files.writeString(directory.resolve("bad.json"), "{\"a\": " + PLANTED)
                        .toString()));
        try (Coordinator web = Coordinator.connect(store.uri("cli"))) {
            follow(web);
            printed += done("set", "password", PLANTED + "4", "--canary", "100%");
            printed += done("canary", "status") + done("canary", "status", "--json") + done("canary", "promote");
        }
        printed += all(config("set", "password", PLANTED + "5", "--canary", "5%", "--promote-after", "1ms"));
        printed += done("rollback", "1") + done("delete", "password");
        assertThat(printed).doesNotContain(PLANTED).contains("(secret)", "--reveal");
        done("rollback", "1");
        assertThat(done("get", "--reveal", "password")).isEqualTo(PLANTED);
        assertThat(done("list", "--values", "--reveal") + done("history", "--reveal"))
                .contains(PLANTED + "2");
        assertThat(config("export", "--reveal").out()).contains(PLANTED);
        done("set", "password", "plain", "--not-secret");
        assertThat(done("get", "password")).isEqualTo("plain");
        assertThat(done("history") + done("history", "--json") + done("diff", "0") + done("diff", "1", "3"))
                .doesNotContain(PLANTED);
        assertThat(done("rollback", "1", "--dry-run")).doesNotContain(PLANTED);
    }

    /** What it prints, which must have gone well. */
    private String done(String... args) {
        Captured run = config(args);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    /** An instance that tries whatever begins from now on. */
    private void follow(Coordinator web) throws InterruptedException {
        LiveConfig unused = LiveConfig.builder(web).space(space).instance("web").open();
        await().until(() -> config("status").out().contains("web"));
    }

    private Captured config(String... args) {
        int command = args[0].equals("canary") ? 2 : 1;
        var line = new ArrayList<>(List.of("config"));
        line.addAll(List.of(args).subList(0, command));
        line.addAll(List.of("--connect", store.uri("cli"), "--space", space));
        line.addAll(List.of(args).subList(command, args.length));
        return Captured.run(line.toArray(String[]::new));
    }

    private static String all(Captured... runs) {
        var all = new StringBuilder();
        for (Captured run : runs) {
            all.append(run.out()).append(run.err());
        }
        return all.toString();
    }

    private static void refused(Captured run, int status, String why) {
        assertThat(run.status()).as(run.err()).isEqualTo(status);
        assertThat(run.err()).startsWith("baton: ").contains(why).hasLineCount(1);
        assertThat(run.out()).isEmpty();
    }
}
