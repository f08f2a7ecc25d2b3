package io.baton.cli.ls;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.baton.election.ActiveStandby;
import io.baton.spi.Names;
import io.baton.testkit.LongRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListCommandIT {

    private TestStore store;

    @TempDir
    Path directory;

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

    @Test
    void ls_allKinds_areListedWithHoldersAndLeaders() throws Exception {
        try (Coordinator first = connect("all", "first");
                Coordinator second = connect("all", "second");
                Hold hold = first.lock("a/b").acquire();
                Hold reader = first.readWriteLock("prices").read().acquire();
                Hold permits = first.semaphore("uploads", 3).acquire(2);
                AutoCloseable foreign = store.stand("/all/locks/shared", "");
                ActiveStandby node = ActiveStandby.builder(first, "books", "node-1")
                        .address("h1:80")
                        .onPromote(leadership -> {}, Duration.ofSeconds(5))
                        .onDemote(leadership -> {}, Duration.ofSeconds(1))
                        .withoutFencer("a test")
                        .build()
                        .start();
                LiveConfig follower = LiveConfig.builder(first)
                        .instance("one")
                        .cache(directory.resolve("cache"))
                        .open()) {
            assertThat(foreign).isNotNull();
            assertThat(List.of(reader.remaining(), permits.remaining()))
                    .allSatisfy(left -> assertThat(left).isPositive());
            CompletableFuture<Hold> waiting = second.lock("a/b").acquireAsync();
            ConfigStore.of(first).edit().put("timeout", "5s").commit();
            ConfigStore.of(first).edit().put("retries", "3").commit();
            await().atMost(60, SECONDS).until(() -> {
                JsonNode all = json(ls("all", "--json"));
                return all.at("/locks/0/waiting").asLong() == 1
                        && all.at("/elections/0/leader/id").asText().equals("node-1")
                        && all.at("/elections/0/nodes").asLong() == 1
                        && all.at("/configurations/0/instances").asLong() == 1;
            });

            JsonNode all = json(ls("all", "--json"));
            assertThat(all.at("/locks/0/name").asText()).isEqualTo("a/b");
            assertThat(all.at("/locks/0/holder/client").asText()).isEqualTo("first");
            assertThat(all.at("/locks/0/holder/token").asLong()).isEqualTo(hold.token());
            assertThat(all.at("/locks/0/holder/since").asText()).startsWith("20");
            assertThat(all.at("/locks/1/name").asText()).isEqualTo("shared");
            assertThat(all.at("/locks/1/holder/client").isNull()).isTrue();
            assertThat(all.at("/rwlocks/0/name").asText()).isEqualTo("prices");
            assertThat(all.at("/rwlocks/0/contenders").asLong()).isEqualTo(1);
            assertThat(all.at("/rwlocks/0/holder/token").asLong()).isEqualTo(reader.token());
            assertThat(all.at("/rwlocks/0/holder/client").asText()).isEqualTo("first");
            assertThat(all.at("/rwlocks/0/holder/claim").asText()).isEqualTo("shared");
            assertThat(all.at("/semaphores").toString())
                    .isEqualTo("[{\"name\":\"uploads\",\"holders\":1,\"waiting\":0}]");
            assertThat(all.at("/elections/0/leader/address").asText()).isEqualTo("h1:80");
            assertThat(all.at("/elections/0/candidates").asLong()).isEqualTo(1);
            assertThat(all.at("/configurations/0/space").asText()).isEqualTo("config");
            assertThat(all.at("/configurations/0/change").asLong()).isEqualTo(2);
            assertThat(all.at("/configurations/0/keys").asLong()).isEqualTo(2);
            assertThat(all.at("/more")).isEmpty();

            Captured text = ls("all");
            assertThat(text.status()).as(text.err()).isZero();
            assertThat(text.out())
                    .containsPattern("(?m)^  LOCK +HOLDER +WAITING +TOKEN$")
                    .containsPattern("(?m)^  a/b +first@\\S+ \\(\\d+\\) +1 +" + hold.token() + "$")
                    .containsPattern("(?m)^  shared +\\(foreign\\) +0 +\\d+$")
                    .containsPattern("(?m)^  prices +first@\\S+ \\(\\d+\\) +shared +1 +" + reader.token() + "$")
                    .containsPattern("(?m)^  books +node-1 at h1:80 +1 +1 +\\d+$")
                    .containsPattern("(?m)^  config +2 +2 +1$");
            assertThat(ls("all", "elections").out()).contains("books").doesNotContain("a/b", "config");
            waiting.cancel(true);
        }
    }

    @Test
    void ls_manyLocks_comeInPagesAndNoneIsLeftOut() throws Exception {
        int count = LongRun.rounds(1_100, 10_000);
        try (Coordinator baton = connect("many", "many")) {
            List<CompletableFuture<Hold>> holds = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                // Encoded names, and names that are the beginning of others.
                holds.add(
                        baton.lock(List.of("n", "n-", "n.", "ü").get(i % 4) + i).acquireAsync());
            }
            for (CompletableFuture<Hold> each : holds) {
                each.get(120, SECONDS);
            }
            List<String> seen = new ArrayList<>();
            String last = "";
            boolean more = true;
            while (more) {
                List<String> line = new ArrayList<>(List.of("--json", "--limit", "400", "locks"));
                if (!last.isEmpty()) {
                    line.addAll(List.of("--after", last));
                }
                JsonNode page = json(ls("many", line.toArray(String[]::new)));
                page.at("/locks").forEach(lock -> seen.add(lock.at("/name").asText()));
                more = page.at("/more").has("locks");
                last = page.at("/more/locks").asText();
            }
            assertThat(seen).hasSize(count).doesNotHaveDuplicates();
            assertThat(seen).allSatisfy(name -> assertThat(Names.encode(name)).isNotEmpty());

            Captured cut = ls("many", "--limit", "5");
            assertThat(cut.out().lines()).hasSize(7);
            assertThat(cut.out()).contains("... and more locks: baton ls locks --after '" + seen.get(4) + "'");
        }
    }

    @Test
    void ls_nothing_saysSoAndWritesNothing() {
        long before = store.written();
        Captured nothing = ls("nothing");
        assertThat(nothing.status()).as(nothing.err()).isZero();
        assertThat(nothing.out()).isEqualTo("nothing below " + store.uri("nothing") + "\n");
        assertThat(ls("nothing", "--json").out())
                .isEqualTo("{\"locks\":[],\"rwlocks\":[],\"semaphores\":[],\"elections\":[],\"configurations\":[],"
                        + "\"more\":{}}\n");
        assertThat(store.written()).isEqualTo(before);
    }

    @Test
    void ls_watch_printsAgainWhenSomethingChanges() throws Exception {
        try (Coordinator baton = connect("watched", "watcher");
                BatonProcess watch = BatonProcess.start(
                        directory,
                        Map.of(),
                        List.of("ls", "--connect", store.uri("watched"), "--watch", "--interval", "100ms", "--json"))) {
            await().atMost(60, SECONDS).until(() -> watch.out().lines().count() == 1);
            try (Hold hold = baton.lock("seen").acquire()) {
                await().atMost(60, SECONDS).until(() -> watch.out().contains("\"token\":" + hold.token()));
            }
            await().atMost(60, SECONDS).until(() -> watch.out().lines().count() == 3);
            assertThat(watch.out().lines().toList().get(2)).startsWith("{\"locks\":[],");
            watch.signal("TERM");
            assertThat(watch.status()).isEqualTo(143);
            assertThat(watch.err()).isEmpty();
        }
    }

    private Coordinator connect(String root, String client) throws InterruptedException {
        return Coordinator.connect(
                store.uri(root), CoordinatorOptions.builder().client(client).build());
    }

    private Captured ls(String root, String... args) {
        List<String> line = new ArrayList<>(List.of("ls", "--connect", store.uri(root)));
        line.addAll(List.of(args));
        return Captured.run(line.toArray(String[]::new));
    }

    private static JsonNode json(Captured run) throws Exception {
        assertThat(run.status()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }
}
