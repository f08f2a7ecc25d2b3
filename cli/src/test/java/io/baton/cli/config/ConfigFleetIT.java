package io.baton.cli.config;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import io.baton.config.Binding;
import io.baton.config.LiveConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who follows: instances, and {@code baton config watch}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfigFleetIT {

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
    void status_oneFollowsAndOneRejects_saysWhoRunsWhat() throws InterruptedException {
        done("set", "--secret", "password", PLANTED);
        done("set", "port", "80");
        try (Coordinator baton = Coordinator.connect(store.uri("cli"));
                LiveConfig easy = follower(baton, "easy", "a");
                LiveConfig strict = follower(baton, "strict", "b");
                Binding<Integer> port = small(strict)) {
            done("set", "port", "500");
            Captured status = await().atMost(30, SECONDS)
                    .until(() -> config("status"), seen -> seen.out().contains("1 of 2 run change 3, 1 rejected"));
            assertThat(status.out().replaceAll("[ ]+", " "))
                    .matches("(?s) INSTANCE HOST SOURCE CHANGE BEHIND CANARY REJECTED\n"
                            + " easy [^ ]+ live 3 - - -\n strict [^ ]+ live 2 1 - [^\n]*port must be small[^\n]*\n"
                            + "1 of 2 run change 3, 1 rejected something newer\n");
            assertThat(done("status", "--json"))
                    .contains("{\"change\":3,\"running\":1,\"instances\":[{\"id\":\"easy\",")
                    .contains("\"labels\":{\"zone\":\"b\"},\"source\":\"LIVE\",\"change\":2,\"behind\":1,")
                    .doesNotContain(PLANTED);
            assertThat(port.get()).isEqualTo(80);
            assertThat(easy.get("port")).contains("500");
        }
    }

    @Test
    void canary_goodAndBad_isPromotedOrTakenBackByItself() throws InterruptedException {
        done("set", "port", "80");
        try (Coordinator baton = Coordinator.connect(store.uri("cli"));
                LiveConfig other = follower(baton, "other", "a");
                LiveConfig chosen = follower(baton, "chosen", "b");
                Binding<Integer> port = small(chosen)) {
            awaitStatus("2 of 2 run change 1");
            Captured bad =
                    config("set", "port", "500", "--canary", "100%", "--label", "zone=b", "--promote-after", "60s");
            assertThat(bad.status()).isEqualTo(75);
            assertThat(bad.err().lines().reduce((first, last) -> last).orElse(""))
                    .startsWith("baton: the canary was taken back: ")
                    .contains("chosen", "port must be small");
            assertThat(port.get()).isEqualTo(80);
            assertThat(done("set", "port", "90", "--canary", "100%", "--label", "zone=b"))
                    .contains("    port: 80 -> 90\n");
            await().atMost(30, SECONDS)
                    .until(() -> done("canary", "status").contains("1 of the 1 chosen instances run it"));
            assertThat(port.get()).isEqualTo(90);
            assertThat(other.get("port")).contains("80");
            done("canary", "abort");
            await().atMost(30, SECONDS).until(() -> port.get() == 80);
            Captured good =
                    config("set", "port", "95", "--canary", "100%", "--label", "zone=b", "--promote-after", "3s");
            assertThat(good.status()).as(good.err()).isZero();
            assertThat(good.out()).startsWith("port: 80 -> 95\nchange 2, revision ");
            await().atMost(30, SECONDS).until(() -> other.get("port").equals(Optional.of("95")));
        }
    }

    @Test
    @Tag("long")
    void restart_whileTheNewestIsBad_allComeUpOnTheLastGoodStateAndTakeTheNextOne() throws InterruptedException {
        done("set", "port", "80");
        var running = new ArrayList<BatonProcess>();
        try {
            for (String id : List.of("one", "two", "three")) {
                running.add(instance(id));
            }
            running.forEach(each -> awaitPort(each, 80));
            done("set", "port", "500");
            awaitStatus("0 of 3 run change 2, 3 rejected something newer");
            for (int i = 0; i < 3; i++) {
                String id = List.of("one", "two", "three").get(i);
                running.remove(0).signal("KILL");
                if (id.equals("two")) {
                    deleteCache(id);
                }
                BatonProcess again = instance(id);
                running.add(again);
                awaitPort(again, 80);
            }
            String status = awaitStatus("0 of 3 run change 2, 3 rejected something newer");
            assertThat(status.lines().filter(line -> line.contains("port must be small")))
                    .hasSize(3);

            done("set", "port", "90");

            running.forEach(each -> awaitPort(each, 90));
            awaitStatus("3 of 3 run change 3");
        } finally {
            running.forEach(BatonProcess::close);
        }
    }

    @Test
    @Tag("long")
    void canaryUnderWhich_oneIsKilledOneHangsAndOneIsRestarted_isTakenBack() throws InterruptedException {
        done("set", "port", "80");
        RunFixture fixture = new RunFixture(store, directory);
        var running = new ArrayList<BatonProcess>();
        try {
            for (String id : List.of("killed", "hangs", "restarted", "well")) {
                running.add(instance(id));
            }
            awaitStatus("4 of 4 run change 1");
            BatonProcess author = fixture.run(
                    "config", "set", "--space", space, "--canary", "100%", "--promote-after", "3s", "port=90");
            running.add(author);
            running.subList(0, 4).forEach(each -> awaitPort(each, 90));
            running.get(0).signal("KILL");
            running.get(1).signal("STOP");
            running.get(2).signal("KILL");
            running.add(instance("restarted"));

            assertThat(author.status()).isEqualTo(75);
            assertThat(author.err())
                    .contains("the canary was taken back")
                    .containsPattern("killed (does not answer|does not run it|is gone)")
                    .containsPattern("hangs does not (answer|run it)")
                    .containsPattern("restarted (was restarted|does not answer|does not run it)")
                    .doesNotContain("well");
            assertThat(done("get", "port")).isEqualTo("80");
            assertThat(running.get(5).out()).doesNotContain("port 90");
            await().atMost(30, SECONDS).until(() -> running.get(3).out().endsWith("port 80\n"));
        } finally {
            running.forEach(BatonProcess::close);
        }
    }

    @Test
    void canaryWhose_authorIsGone_isTakenBackByThoseWhoTryIt() throws InterruptedException {
        done("set", "port", "80");
        BatonProcess one = instance("one");
        try {
            awaitStatus("1 of 1 run change 1");
            assertThat(done("set", "port", "90", "--canary", "100%", "--lasts", "3s"))
                    .contains("canary");
            awaitPort(one, 90);
            await().atMost(30, SECONDS).until(() -> config("canary", "status").status() == 1);
            await().atMost(30, SECONDS).until(() -> one.out().endsWith("port 80\n"));
        } finally {
            one.close();
        }
    }

    private BatonProcess instance(String id) {
        String cache = directory.resolve(space + "-" + id).toString();
        return BatonProcess.startProgram(directory, InstanceMain.class, store.uri("cli"), space, id, cache);
    }

    private void deleteCache(String id) {
        try {
            Files.delete(directory.resolve(space + "-" + id));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void awaitPort(BatonProcess instance, int port) {
        await().atMost(120, SECONDS).until(() -> instance.out().contains("port " + port + "\n"));
    }

    private String awaitStatus(String summary) {
        return await().atMost(120, SECONDS).until(() -> done("status"), seen -> seen.contains(summary));
    }

    @Test
    void watch_changes_areToldAsTheyAreMadeUntilASignal() throws InterruptedException {
        done("set", "--secret", "password", PLANTED);
        done("set", "a", "1");
        RunFixture fixture = new RunFixture(store, directory);
        try (BatonProcess people = fixture.run("config", "watch", "--space", space);
                BatonProcess programs =
                        fixture.run("config", "watch", "--space", space, "--json", "--count", "2", "a")) {
            await().atMost(30, SECONDS).until(() -> people.out().contains("following, 2 keys at change 2"));
            await().atMost(30, SECONDS).until(() -> programs.out().contains("\"event\":\"following\""));
            done("set", "a=2", "b=\u001b[31m", "password=" + PLANTED + "2");
            done("delete", "a", "b");
            assertThat(programs.status()).as(programs.err()).isZero();
            assertThat(programs.out()
                            .lines()
                            .map(line -> line.replaceAll("\"time\":\"[^\"]*\",\"revision\":\\d+,", "")))
                    .containsExactly(
                            "{\"event\":\"following\",\"change\":2,\"keys\":2}",
                            "{\"event\":\"changed\",\"changes\":[{\"key\":\"a\",\"before\":\"1\",\"now\":\"2\","
                                    + "\"deleted\":false,\"secret\":false}]}",
                            "{\"event\":\"changed\",\"changes\":[{\"key\":\"a\",\"before\":\"2\",\"now\":null,"
                                    + "\"deleted\":true,\"secret\":false}]}");
            List<String> lines =
                    await().atMost(30, SECONDS).until(() -> people.out().lines().toList(), seen -> seen.size() >= 6);
            assertThat(lines).allSatisfy(line -> assertThat(line).matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  .*"));
            assertThat(lines.stream().map(line -> line.substring(14)))
                    .containsExactly(
                            "following, 2 keys at change 2",
                            "a: 1 -> 2",
                            "b: (none) -> \\u001b[31m",
                            "password: (secret) -> (secret)",
                            "a: 2 -> (none)",
                            "b: \\u001b[31m -> (none)");
            people.signal("INT");
            assertThat(people.status()).isEqualTo(130);
            assertThat(people.err() + programs.err()).isEmpty();
            assertThat(people.out() + programs.out()).doesNotContain(PLANTED);
        }
    }

    private LiveConfig follower(Coordinator baton, String name, String zone) throws InterruptedException {
        return LiveConfig.builder(baton)
                .space(space)
                .instance(name)
                .label("zone", zone)
                .open();
    }

    private static Binding<Integer> small(LiveConfig config) {
        return config.binding("port", Integer.class)
                .validate(port -> port < 100, "port must be small")
                .bind();
    }

    private String done(String... args) {
        Captured run = config(args);
        assertThat(run.status()).as(run.err()).isZero();
        return run.out();
    }

    private Captured config(String... args) {
        int command = args[0].equals("canary") ? 2 : 1;
        var line = new ArrayList<>(List.of("config"));
        line.addAll(List.of(args).subList(0, command));
        line.addAll(List.of("--connect", store.uri("cli"), "--space", space));
        line.addAll(List.of(args).subList(command, args.length));
        return Captured.run(line.toArray(String[]::new));
    }
}
