package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.Hold;
import io.baton.LockOptions;
import io.baton.WriteHold;
import io.baton.spi.Names;
import io.baton.testkit.LongRun;
import io.baton.zookeeper.ZooKeeperDialects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueueCommandIT {

    private static final Pattern TOKEN = Pattern.compile("\"token\":(\\d+)");
    private static final String NO_OPTIONS =
            "{\"holdAtLeastMillis\":null,\"delayAfterLossMillis\":null,\"restMillis\":null,\"releaseRequest\":null,"
                    + "\"queue\":";
    /** Each takes a tenth of a second, most of which ZooKeeper's client waits in order to close. */
    private static final int AT_ONCE = 20;

    private static final List<String> ODD = List.of(
            "/", "%", "..", ".", "a/b", "%2F", "%2f", "-", "\u0301", "\u202e", "\ud83d\udd12", "\u0001", "\n", " ");

    private TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    /** What a lock at a path of its own is taken with, and asked about. */
    Dialect dialect() {
        return ZooKeeperDialects.KAZOO;
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
    void queue_holderAndWaiters_areShownInOrder() throws Exception {
        try (Coordinator first = connect("first");
                Coordinator second = connect("second");
                Hold hold = first.lock("orders").acquire()) {
            CompletableFuture<Hold> waiting = second.lock("orders").acquireAsync();
            while (first.lock("orders").queue().size() < 2) {
                Thread.onSpinWait();
            }
            Captured table = queue("orders");
            assertThat(table.status()).as(table.err()).isZero();
            List<String> lines = table.out().lines().toList();
            assertThat(lines).hasSize(5).first().isEqualTo("'orders': one holds it, 1 waits");
            assertThat(lines.get(3))
                    .startsWith("  1  holds  " + hold.token() + " ")
                    .contains(" first ");
            assertThat(lines.get(4)).startsWith("  2  waits  ").contains(" second ");
            assertThat(lines.get(4)).contains(" " + ProcessHandle.current().pid() + " ");

            Captured json = queue("--json", "orders");
            assertThat(json.out())
                    .startsWith(NO_OPTIONS + "[{\"position\":1,\"holder\":true,\"token\":" + hold.token()
                            + ",\"client\":\"first\",\"host\":")
                    .contains("{\"position\":2,\"holder\":false,\"token\":")
                    .contains("\"pid\":" + ProcessHandle.current().pid() + ",\"since\":\"20")
                    .endsWith("\",\"claim\":\"exclusive\"}]}\n");
            waiting.cancel(true);
        }
    }

    @Test
    void queue_lockWithOptions_showsThem() throws Exception {
        LockOptions options =
                LockOptions.builder().delayAfterLoss(Duration.ofHours(1)).build();
        try (Coordinator baton = connect("options")) {
            Hold hold = baton.lock("careful", options).acquire();
            assertThat(queue("careful").out())
                    .startsWith("'careful': one holds it, nobody waits\n--delay-after-loss 3600s\n");
            assertThat(queue("--json", "careful").out())
                    .startsWith("{\"holdAtLeastMillis\":0,\"delayAfterLossMillis\":3600000,\"restMillis\":0,")
                    .contains("\"token\":" + hold.token() + ",");
            hold.close();
            assertThat(queue("careful").out())
                    .isEqualTo("'careful': nobody holds it, nobody waits\n--delay-after-loss 3600s\n");
        }
    }

    @Test
    void queue_readWriteLock_showsClaims() throws Exception {
        try (Coordinator baton = connect("readers");
                Hold reader = baton.readWriteLock("prices").read().acquire();
                Hold other = baton.readWriteLock("prices").read().acquire()) {
            CompletableFuture<WriteHold> writer =
                    baton.readWriteLock("prices").write().acquireAsync();
            while (baton.readWriteLock("prices").queue().size() < 3) {
                Thread.onSpinWait();
            }
            assertThat(queue("--read-write", "prices").out())
                    .startsWith("'prices': 2 hold it, 1 waits\n")
                    .containsPattern("(?m)^  1  holds  shared     " + reader.token() + " ")
                    .containsPattern("(?m)^  2  holds  shared     " + other.token() + " ")
                    .containsPattern("(?m)^  3  waits  exclusive  \\d+ ");
            assertThat(queue("--json", "--read-write", "prices").out()).contains("\"claim\":\"shared\"");
            assertThat(queue("prices").out()).contains("nobody holds it");
            writer.cancel(true);
        }
    }

    @Test
    void queue_atAPath_showsWhoStandsThere() throws Exception {
        try (Coordinator baton = connect("there");
                Hold hold = baton.lockAt("/legacy/orders", dialect()).acquire()) {
            var line = new ArrayList<>(List.of("--json", "--at", "/legacy/orders", "orders"));
            if (!dialect().equals(Dialect.BATON)) {
                line.addAll(List.of("--dialect", dialect().name().toLowerCase(Locale.ROOT)));
            }
            Captured there = queue(line.toArray(String[]::new));
            assertThat(there.out()).as(there.err()).contains("\"token\":" + hold.token() + ",\"client\":\"there\"");
            assertThat(queue("--json", "orders-2").out()).isEqualTo(NO_OPTIONS + "[]}\n");
        }
    }

    @Test
    void queue_clientThatIsNotOurs_isForeign() throws Exception {
        try (AutoCloseable foreign = store.stand("/legacy/foreign", "")) {
            assertThat(foreign).isNotNull();
            assertThat(queue("--at", "/legacy/foreign", "x").out().lines().toList())
                    .last()
                    .asString()
                    .matches("  1  holds  \\d+ +\\(foreign\\)  -     -    -");
            assertThat(queue("--json", "--at", "/legacy/foreign", "x").out()).contains("\"client\":null");
        }
    }

    @Test
    void queue_nobody_isEmpty() {
        assertThat(queue("nobody").out()).isEqualTo("'nobody': nobody holds it, nobody waits\n");
        assertThat(queue("--json", "nobody").out()).isEqualTo(NO_OPTIONS + "[]}\n");
    }

    @Test
    void queue_foreignPayload_isEscapedForTerminalsAndPrograms() throws Exception {
        String payload = "client=\u001b[31m\"red\\\u202e\u009b\nhost=\u0007\npid=x\nsince=9223372036854775807";
        try (AutoCloseable foreign = store.stand("/cli/locks/foreign", payload)) {
            assertThat(foreign).isNotNull();
            Captured table = queue("foreign");
            assertThat(table.status()).as(table.err()).isZero();
            assertThat(table.out().lines())
                    .hasSize(4)
                    .allSatisfy(line -> assertThat(line).matches("\\p{Print}*"));
            Captured json = queue("--json", "foreign");
            assertThat(json.out().strip()).matches("\\p{Print}*").contains("[31m\\\"red\\\\\\u202e");
        }
    }

    @Test
    void queue_manyNames_areAllDifferentAndFoundAgain() throws Exception {
        long seed = Long.getLong("baton.names.seed", System.nanoTime());
        Set<String> names = names(new Random(seed), LongRun.rounds(100, 1_000));
        var segments = new HashSet<String>();
        for (String name : names) {
            String segment = Names.encode(name);
            assertThat(Names.decode(segment)).as("seed %d", seed).isEqualTo(name);
            assertThat(segment).doesNotContain("/").isNotIn(".", "..").isASCII();
            assertThat(segments.add(segment))
                    .as("seed %d: a segment of its own for %s", seed, segment)
                    .isTrue();
        }
        try (Coordinator baton = connect("names")) {
            List<Hold> holds = new ArrayList<>();
            for (String name : names) {
                holds.add(baton.lock(name).acquire());
            }
            for (int from = 0; from < holds.size(); from += AT_ONCE) {
                List<Hold> some = holds.subList(from, Math.min(from + AT_ONCE, holds.size()));
                List<Captured> shown = Captured.runTogether(some.stream()
                        .map(hold -> commandLine("--json", "--", hold.name()))
                        .toList());
                for (int i = 0; i < some.size(); i++) {
                    checkShown(some.get(i), shown.get(i), seed);
                }
            }
        }
    }

    private static void checkShown(Hold hold, Captured json, long seed) {
        Matcher token = TOKEN.matcher(json.out());
        assertThat(token.find())
                .as("seed %d: %s%s", seed, Names.encode(hold.name()), json.err())
                .isTrue();
        assertThat(Long.parseLong(token.group(1))).isEqualTo(hold.token());
        assertThat(token.find()).isFalse();
    }

    private static Set<String> names(Random random, int count) {
        var names = new LinkedHashSet<>(ODD);
        while (names.size() < count) {
            var name = new StringBuilder();
            int length = 1 + random.nextInt(8);
            while (name.length() < length) {
                if (random.nextInt(4) == 0) {
                    name.append(ODD.get(random.nextInt(ODD.size())));
                } else {
                    int c = 1 + random.nextInt(random.nextBoolean() ? 0x300 : Character.MAX_CODE_POINT);
                    if (Character.getType(c) != Character.SURROGATE) {
                        name.appendCodePoint(c);
                    }
                }
            }
            names.add(name.toString());
        }
        return names;
    }

    private Coordinator connect(String client) throws InterruptedException {
        return Coordinator.connect(
                store.uri("cli"), CoordinatorOptions.builder().client(client).build());
    }

    private Captured queue(String... args) {
        return Captured.run(commandLine(args).toArray(String[]::new));
    }

    private List<String> commandLine(String... args) {
        var line = new ArrayList<>(List.of("queue", "--connect", store.uri("cli")));
        line.addAll(List.of(args));
        return line;
    }
}
