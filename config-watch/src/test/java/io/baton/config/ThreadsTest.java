package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Op;
import io.baton.Subscription;
import io.baton.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With real threads and the real clock. */
@Timeout(60)
class ThreadsTest {

    private static final String STORE = "config-threads";

    private Coordinator baton;
    private LiveConfig config;
    private final List<ConfigEvent> events = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void open() throws InterruptedException {
        MemoryStore.drop(STORE);
        baton = Coordinator.connect("mem:" + STORE);
        write("a", "0", "b", "0");
        config = LiveConfig.builder(baton).open();
        config.onEvent(events::add);
    }

    @AfterEach
    void close() {
        config.close();
        baton.close();
    }

    private void write(String... keysAndTexts) throws InterruptedException {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            byte[] text = keysAndTexts[i + 1].getBytes(StandardCharsets.UTF_8);
            ops.add(Op.put(baton.records("config").key(keysAndTexts[i]), text));
        }
        assertThat(baton.transact(List.of(), ops)).isTrue();
    }

    private long revision() throws InterruptedException {
        return baton.records("config").get("a").orElseThrow().revision().order();
    }

    @Test
    void awaitRevision_written_isInUse() throws InterruptedException {
        for (int i = 1; i < 200; i++) {
            write("a", Integer.toString(i));
            assertThat(config.awaitRevision(revision(), Duration.ofSeconds(20))).isTrue();
            assertThat(config.get("a")).contains(Integer.toString(i));
        }
        assertThat(config.awaitRevision(revision() + 1, Duration.ofMillis(1))).isFalse();
    }

    @Test
    void durations_longerThanClocksCount_neverEnd() throws InterruptedException {
        Duration forever = ChronoUnit.FOREVER.getDuration();
        AtomicInteger told = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        config.onKey(
                "a", ListenerOptions.named("slow").slowAfter(forever), (changes, revision) -> told.incrementAndGet());
        config.onKey("a", ListenerOptions.named("failing").attempts(2, forever), (changes, revision) -> {
            failed.incrementAndGet();
            throw new IllegalStateException("on purpose");
        });
        LiveConfig patient = LiveConfig.builder(baton)
                .instance("patient")
                .startTimeout(forever)
                .open();
        ConfigStore store = ConfigStore.of(baton);

        ConfigCommit commit = store.edit().put("a", "1").timeout(forever).commit();

        assertThat(patient.awaitRevision(commit.revision(), forever)).isTrue();
        await().atMost(Duration.ofSeconds(30)).until(() -> store.fleet().size() == 1);
        await().atMost(Duration.ofSeconds(30)).until(() -> told.get() == 2);
        await().atMost(Duration.ofSeconds(30)).until(() -> failed.get() == 1);
        assertThat(patient.binding("a", Integer.class).bind().get()).isEqualTo(1);
        patient.close();
    }

    @Test
    void bind_goesBackWithAStartTimeoutLongerThanClocksCount_readsTheHistory() throws InterruptedException {
        ConfigStore store = ConfigStore.of(baton);
        store.edit().put("b", "5").commit();
        store.edit().put("b", "bad").commit();
        LiveConfig patient = LiveConfig.builder(baton)
                .startTimeout(ChronoUnit.FOREVER.getDuration())
                .open();

        assertThat(patient.bind("b", Integer.class).get()).isEqualTo(5);
        patient.close();
    }

    @Test
    void awaitRevision_closedMeanwhile_isFalse() throws Exception {
        CompletableFuture<Boolean> reached = CompletableFuture.supplyAsync(() -> {
            try {
                return config.awaitRevision(Long.MAX_VALUE, Duration.ofSeconds(50));
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
        config.close();
        assertThat(reached.get(20, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void listener_hangs_isWarnedOfAndHoldsUpNobody() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicInteger told = new AtomicInteger();
        config.onKey(
                "a", ListenerOptions.named("hangs").slowAfter(Duration.ofMillis(20)), (changes, revision) -> wait(end));
        config.onKey("a", ListenerOptions.named("other"), (changes, revision) -> told.incrementAndGet());
        write("a", "1");

        await().atMost(Duration.ofSeconds(30)).until(() -> told.get() == 2);
        await().atMost(Duration.ofSeconds(30))
                .until(() -> events.stream().anyMatch(ConfigEvent.SlowListener.class::isInstance));
        assertThat(config.get("a")).contains("1");
        end.countDown();
        assertThat(events).hasSize(1);
        assertThat(((ConfigEvent.SlowListener) events.get(0)).listener()).isEqualTo("hangs");
    }

    @Test
    void prepare_hangs_delaysThisConfigurationOnly() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean hanging = new AtomicBoolean();
        config.binding("a", Integer.class)
                .prepare(value -> {
                    if (value == 1) {
                        hanging.set(true);
                        wait(end);
                    }
                })
                .bind();
        LiveConfig other = LiveConfig.builder(baton).open();
        write("a", "1");
        await().atMost(Duration.ofSeconds(30)).untilTrue(hanging);
        write("a", "2");

        assertThat(other.awaitRevision(revision(), Duration.ofSeconds(20))).isTrue();
        assertThat(config.get("a")).contains("0");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> config.status().seen().revision() == revision());
        Binding<Integer> meanwhile = config.bind("a", Integer.class);
        assertThat(meanwhile.get()).isZero();
        end.countDown();
        assertThat(config.awaitRevision(revision(), Duration.ofSeconds(20))).isTrue();
        assertThat(meanwhile.get()).isEqualTo(2);
        other.close();
    }

    private static void wait(CountDownLatch latch) {
        try {
            assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void close_fromAnyCallback_returns() throws InterruptedException {
        CountDownLatch closed = new CountDownLatch(1);
        config.binding("b", Integer.class)
                .prepare(value -> {
                    if (value == 1) {
                        config.close();
                        baton.close();
                        closed.countDown();
                    }
                })
                .bind();
        write("b", "1");
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(config.get("b")).contains("0");
    }

    /** Two keys that are always written together are bound, listened to and let go all the time. */
    @Test
    void everythingAtOnce_nothingIsTorn() throws Exception {
        Binding<Integer> a = config.bind("a", Integer.class);
        AtomicBoolean over = new AtomicBoolean();
        List<String> torn = Collections.synchronizedList(new ArrayList<>());
        var threads = Executors.newFixedThreadPool(3);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(threads.submit(() -> {
                while (!over.get()) {
                    bindAndListen(torn);
                }
            }));
        }
        AtomicInteger last = new AtomicInteger();
        config.onKey("a", ListenerOptions.named("order"), (changes, revision) -> {
            int before = Integer.parseInt(changes.get(0).before().orElse("-1"));
            if (last.get() != 0 && before != last.get()) {
                torn.add("after " + last.get() + ": " + changes);
            }
            last.set(Integer.parseInt(changes.get(0).now().orElseThrow()));
            if (a.get() < last.get()) {
                torn.add(last.get() + " is told, and " + a.get() + " in use");
            }
        });
        for (int i = 1; i <= 3_000; i++) {
            write("a", Integer.toString(i), "b", Integer.toString(i));
        }
        assertThat(config.awaitRevision(revision(), Duration.ofSeconds(20))).isTrue();
        over.set(true);
        for (Future<?> each : all) {
            each.get(20, TimeUnit.SECONDS);
        }
        threads.shutdown();
        assertThat(torn).isEmpty();
        assertThat(a.get()).isEqualTo(3_000);
        await().atMost(Duration.ofSeconds(30)).until(() -> last.get() == 3_000);
    }

    private void bindAndListen(List<String> torn) {
        try (Binding<Integer> a = config.bind("a", Integer.class);
                Binding<Integer> b = config.bind("b", Integer.class);
                Binding<Integer> none =
                        config.binding("none", Integer.class).orElse(7).bind();
                Subscription both = config.onPrefix("", ListenerOptions.named("pairs"), (changes, revision) -> {
                    List<String> texts = changes.stream()
                            .map(change -> change.now().orElse(""))
                            .distinct()
                            .toList();
                    if (changes.size() != 2 || texts.size() != 1) {
                        torn.add(changes.toString());
                    }
                })) {
            for (int i = 0; i < 20; i++) {
                int first = a.get();
                int second = b.get();
                int third = a.get();
                // b is of a revision between those of the two looks at a.
                if (second < first || third < second) {
                    torn.add(first + " " + second + " " + third);
                }
            }
            assertThat(none.get()).isEqualTo(7);
            b.onChange((before, now, changes) -> {
                if (before.isPresent() && before.get() >= now) {
                    torn.add(before + " then " + now);
                }
            });
        }
    }
}
