package io.baton.cli.standby;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.election.ActiveStandby;
import io.baton.election.LeaderElection;
import io.baton.election.StandbyHook;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StandbyCommandIT {

    private static final StandbyHook NOTHING = leadership -> {};
    private static final StandbyHook BROKEN = leadership -> {
        throw new IllegalStateException("it still writes");
    };

    private TestStore store;

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
    void status_nobody_saysSoWithAStatusOfItsOwn() {
        Captured text = standby("status", "nobody");
        Captured json = standby("status", "--json", "nobody");

        assertThat(text.status()).as(text.err()).isEqualTo(1);
        assertThat(text.out())
                .isEqualTo("'nobody': nobody leads\n"
                        + "'nobody': no breadcrumb: nobody is to be fenced\n"
                        + "'nobody': no node is in contact with the store\n");
        assertThat(json.status()).isEqualTo(1);
        assertThat(json.out())
                .isEqualTo("{\"name\":\"nobody\",\"leader\":null,\"state\":null,\"nodes\":[],\"others\":[],"
                        + "\"breadcrumb\":null,\"paused\":null}\n");
    }

    @Test
    void status_oneActiveAndOthersStandBy_tellsHowAllDo() throws InterruptedException {
        try (Coordinator one = Coordinator.connect(uri());
                Coordinator two = Coordinator.connect(uri());
                ActiveStandby a = node(one, "shown", "node-1", NOTHING).start();
                ActiveStandby b = node(two, "shown", "node-2", NOTHING)
                        .health(() -> false)
                        .start()) {
            await().atMost(30, SECONDS).until(() -> a.state() == ActiveStandby.State.ACTIVE);
            String all = await().atMost(60, SECONDS)
                    .until(
                            () -> standby("status", "shown").out(),
                            text -> text.contains("; active as of")
                                    && text.matches("(?s).*node-1 +1 +active .*")
                                    && text.contains(" unhealthy "));
            assertThat(all)
                    .matches("(?s)'shown': node-1 leads, term \\d+, at node-1:80, .*; active as of \\S+Z\n"
                            + "'shown': breadcrumb of 'node-1', at node-1:80, active in term \\d+ since \\S+Z; that node"
                            + " is in contact, or its session has not ended yet\n"
                            + "  NODE +PLACE +STATE +READY +HEALTH +AS OF +ADDRESS\n"
                            + "  node-1 +1 +active +ready +healthy +\\S+Z +node-1:80\n"
                            + "  node-2 +- +standby +unfit +unhealthy +\\S+Z +node-2:80\n"
                            + "'shown': node-2 the health check says no\n");
            assertThat(b.state()).isEqualTo(ActiveStandby.State.STANDBY);
            LeaderElection.named(one, "shown").pause("ops", "racks", Duration.ofSeconds(10));
            Captured json = standby("status", "--json", "shown");
            assertThat(json.status()).as(json.err()).isZero();
            assertThat(json.out())
                    .contains("\"state\":{\"phase\":\"active\",")
                    .contains("{\"id\":\"node-1\",\"address\":\"node-1:80\",\"priority\":0,\"place\":1,"
                            + "\"state\":\"active\",\"readiness\":\"ready\",\"health\":\"healthy\",\"again\":null,"
                            + "\"trouble\":null,\"asOf\":\"")
                    .contains("\"place\":null,\"state\":\"standby\",\"readiness\":\"unfit\",\"health\":\"unhealthy\"")
                    .contains("\"inContact\":true}", "\"paused\":{\"by\":\"ops\",", "\"leader\":\"node-1\"}}");
            var unused = LeaderElection.named(one, "shown").resume(Duration.ofSeconds(10));
        }
    }

    @Test
    void clear_formerActiveOneIsGone_isDoneOnceItsIdIsTyped() throws InterruptedException {
        leaveABreadcrumb("dead");
        try (Coordinator two = Coordinator.connect(uri());
                ActiveStandby b = unableToFence(two, "dead", new ArrayList<>()).start()) {
            await().atMost(30, SECONDS)
                    .until(() -> b.status().trouble().orElse("").contains("no power switch"));
            Captured refused = standby("clear", "dead");
            Captured wrong = typing("node-2\n", "clear", "dead");
            Captured other = standby("clear", "--yes", "--node", "node-2", "dead");
            assertThat(List.of(refused, wrong, other))
                    .allSatisfy(run -> assertThat(run.status()).as(run.err()).isEqualTo(75));
            assertThat(refused.err())
                    .contains("baton: 'dead': breadcrumb of 'node-1', at node-1:80, active in term ")
                    .contains("nothing but your word")
                    .contains("not confirmed; the breadcrumb stands as it did");
            assertThat(other.err()).contains("not of 'node-2', but of 'node-1'");
            assertThat(b.state()).isEqualTo(ActiveStandby.State.PROMOTING);

            Captured done = typing("node-1\n", "clear", "dead");
            assertThat(done.status()).as(done.err()).isZero();
            assertThat(done.out()).startsWith("'dead': removed the breadcrumb of 'node-1', at node-1:80, ");
            assertThat(standby("wake", "dead").status()).isZero();
            await().atMost(60, SECONDS).until(() -> b.state() == ActiveStandby.State.ACTIVE);

            Captured active = standby("clear", "--yes", "dead");
            assertThat(active.status()).isEqualTo(75);
            assertThat(active.err())
                    .contains("'node-2', at node-2:80, ")
                    .contains("is in contact")
                    .hasLineCount(1);
            assertThat(b.state()).isEqualTo(ActiveStandby.State.ACTIVE);
        }
        Captured none = standby("clear", "--yes", "dead");
        assertThat(none.status()).isEqualTo(1);
        assertThat(none.err()).isEqualTo("baton: 'dead' has no breadcrumb: nobody is to be fenced\n");
    }

    @Test
    void clear_yes_doesNotAsk() throws InterruptedException {
        leaveABreadcrumb("sure");

        Captured done = standby("clear", "--yes", "--node", "node-1", "sure");
        assertThat(done.status()).as(done.err()).isZero();
        assertThat(done.err()).isEmpty();
        assertThat(standby("status", "sure").out()).contains("'sure': no breadcrumb: nobody is to be fenced");
    }

    @Test
    void wake_nodeThatWaitsBetweenTwoAttempts_triesAtOnce() throws InterruptedException {
        leaveABreadcrumb("asleep");
        List<Long> attempts = new ArrayList<>();
        try (Coordinator two = Coordinator.connect(uri());
                ActiveStandby b = unableToFence(two, "asleep", attempts).start()) {
            await().atMost(60, SECONDS).until(() -> pause(attempts) > 3_000);
            int before = size(attempts);
            await().atMost(60, SECONDS)
                    .until(() -> standby("status", "asleep").out(), text -> text.contains(" waiting "));
            Captured woken = standby("wake", "--by", "ops", "asleep");

            assertThat(woken.status()).as(woken.err()).isZero();
            assertThat(woken.out()).isEqualTo("'asleep': woken; these have waited: node-2\n");
            // Otherwise it would wait for 6.4 s at least.
            await().atMost(60, SECONDS).until(() -> size(attempts) > before);
            assertThat(pause(attempts)).isLessThan(6_400);
            assertThat(b.state()).isEqualTo(ActiveStandby.State.PROMOTING);
        }
    }

    private static int size(List<Long> attempts) {
        synchronized (attempts) {
            return attempts.size();
        }
    }

    /** How many milliseconds were between the last two. */
    private static long pause(List<Long> attempts) {
        synchronized (attempts) {
            int all = attempts.size();
            return all < 2 ? 0 : (attempts.get(all - 1) - attempts.get(all - 2)) / 1_000_000;
        }
    }

    /** Of a node that was active and is gone, and has not gone cleanly. */
    private void leaveABreadcrumb(String name) throws InterruptedException {
        try (Coordinator one = Coordinator.connect(uri());
                ActiveStandby a = node(one, name, "node-1", BROKEN).start()) {
            await().atMost(30, SECONDS).until(() -> a.state() == ActiveStandby.State.ACTIVE);
        }
    }

    private ActiveStandby.Builder unableToFence(Coordinator baton, String name, List<Long> attempts) {
        AtomicInteger number = new AtomicInteger();
        return ActiveStandby.builder(baton, name, "node-2")
                .address("node-2:80")
                .onPromote(NOTHING, Duration.ofSeconds(5))
                .onDemote(NOTHING, Duration.ofSeconds(1))
                .fencingAttempts(1000)
                .fencer(
                        last -> {
                            synchronized (attempts) {
                                attempts.add(System.nanoTime());
                            }
                            throw new IllegalStateException("no power switch " + number.incrementAndGet());
                        },
                        Duration.ofSeconds(3));
    }

    private static ActiveStandby.Builder node(Coordinator baton, String name, String id, StandbyHook demote) {
        return ActiveStandby.builder(baton, name, id)
                .address(id + ":80")
                .onPromote(NOTHING, Duration.ofSeconds(5))
                .onDemote(demote, Duration.ofSeconds(1))
                .withoutFencer("a test");
    }

    private String uri() {
        return store.uri("cli");
    }

    private Captured standby(String verb, String... args) {
        return typing("", verb, args);
    }

    private Captured typing(String typed, String verb, String... args) {
        var line = new ArrayList<>(List.of("standby", verb, "--connect", uri(), "--timeout", "30s"));
        line.addAll(List.of(args));
        InputStream real = System.in;
        System.setIn(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)));
        try {
            return Captured.run(line.toArray(String[]::new));
        } finally {
            System.setIn(real);
        }
    }
}
