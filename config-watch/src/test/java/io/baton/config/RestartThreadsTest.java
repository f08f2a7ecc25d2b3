package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.StoreUnavailableException;
import io.baton.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The same with real threads. */
@Timeout(60)
class RestartThreadsTest {

    private Coordinator baton;
    private ConfigStore store;
    private final List<LiveConfig> opened = new ArrayList<>();

    @TempDir
    Path directory;

    @BeforeEach
    void open() throws InterruptedException {
        MemoryStore.drop("restart-threads");
        baton = Coordinator.connect("mem:restart-threads");
        store = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        // Each waits for what it is writing to the cache: the directory could not be deleted before.
        opened.forEach(LiveConfig::close);
        baton.close();
    }

    private LiveConfig start() throws InterruptedException {
        return start(baton);
    }

    private LiveConfig start(Coordinator on) throws InterruptedException {
        LiveConfig config =
                LiveConfig.builder(on).cache(directory.resolve("cache")).open();
        opened.add(config);
        return config;
    }

    private void ran(String... keys) throws InterruptedException {
        try (LiveConfig first = start()) {
            for (String each : keys) {
                first.bind(each, Integer.class);
            }
        }
    }

    @Test
    void wentBackToTheCache_aFurtherBindingFindsTheHistory() throws InterruptedException {
        store.edit().put("a", "1").put("b", "1").commit();
        ran("a", "b");
        store.edit().put("c", "1").commit();
        store.edit().put("b", "many").commit();
        LiveConfig config = start();
        assertThat(config.bind("a", Integer.class).get()).isEqualTo(1);
        assertThat(config.bind("b", Integer.class).get()).isEqualTo(1);
        assertThat(config.bind("c", Integer.class).get()).isEqualTo(1);
    }

    @Test
    void awaitRevision_ofAValueThatIsNotInUse_isFalse() throws InterruptedException {
        store.edit().put("a", "1").put("b", "1").commit();
        store.edit().put("a", "2").commit();
        baton.records("config").put("b", "many".getBytes(StandardCharsets.UTF_8));
        long bad = baton.records("config").get("b").orElseThrow().revision().order();
        LiveConfig config = LiveConfig.builder(baton).open();
        assertThat(config.bind("b", Integer.class).get()).isEqualTo(1);
        assertThat(config.get("b")).contains("1");
        assertThat(config.awaitRevision(bad, Duration.ofMillis(10))).isFalse();
    }

    @Test
    void prepare_runsOneAtATime() throws Exception {
        store.edit().put("a", "1").put("b", "1").commit();
        ran("a", "b");
        store.edit().put("a", "2").put("b", "many").commit();
        LiveConfig config = start();
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        config.binding("a", Integer.class)
                .prepare(value -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    if (value == 3) {
                        hangs.countDown();
                        waitFor(end);
                    }
                    running.decrementAndGet();
                })
                .bind();
        store.edit().put("a", "3").commit();
        hangs.await();
        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS).execute(end::countDown);
        config.bind("b", Integer.class);
        end.countDown();
        assertThat(most.get()).isEqualTo(1);
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
    }

    @Test
    void wentBackToAsWritten_positionIsNotTheNewest() throws InterruptedException {
        store.edit().put("b", "1").commit();
        for (int i = 1; i <= 40; i++) {
            store.edit().put("other", Integer.toString(i)).commit();
        }
        baton.records("config").put("b", "many".getBytes(StandardCharsets.UTF_8));
        LiveConfig config = LiveConfig.builder(baton).open();
        config.bind("b", Integer.class);
        long last = store.get("other").orElseThrow().revision();
        boolean newest = config.get("other").equals(java.util.Optional.of("40"));
        assertThat(config.awaitRevision(last, Duration.ofMillis(10))).isEqualTo(newest);
    }

    @Test
    void interrupted_bindDoesNotTakeAllBackToWhatTheServiceBrings() throws InterruptedException {
        store.edit().put("a", "1").put("b", "1").commit();
        store.edit().put("b", "many").commit();
        LiveConfig config =
                LiveConfig.builder(baton).defaults(Map.of("a", "77", "b", "77")).open();
        Binding<Integer> a = config.bind("a", Integer.class);
        Thread.currentThread().interrupt();
        try {
            config.bind("b", Integer.class);
        } catch (RuntimeException fine) {
        }
        boolean kept = Thread.interrupted();
        assertThat(a.get()).isEqualTo(1);
        assertThat(kept).isTrue();
    }

    /** Binds a value that does not fit, while a revision is being decided for as long as this lasts. */
    private void bindWhileARevisionIsDecided(Duration startTimeout, Consumer<LiveConfig> then) throws Exception {
        store.edit().put("a", "1").put("b", "many").commit();
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        try (LiveConfig config =
                LiveConfig.builder(baton).startTimeout(startTimeout).open()) {
            config.binding("a", Integer.class)
                    .prepare(value -> {
                        if (value == 2) {
                            hangs.countDown();
                            waitFor(end);
                        }
                    })
                    .bind();
            store.edit().put("a", "2").commit();
            hangs.await();
            then.accept(config);
        } finally {
            end.countDown();
        }
    }

    @Test
    void bind_aRevisionIsDecidedForTheStartTimeout_throwsAndSaysSo() throws Exception {
        bindWhileARevisionIsDecided(
                Duration.ofMillis(500),
                config -> assertThatThrownBy(() -> config.bind("b", Integer.class))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageStartingWith("cannot bind b: b must be a whole number")
                        .hasMessageEndingWith("takes too long"));
    }

    @Test
    void bind_interruptedWhileARevisionIsDecided_throwsAndSaysSo() throws Exception {
        bindWhileARevisionIsDecided(Duration.ofMinutes(10), config -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> config.bind("b", Integer.class))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("cannot bind b: b must be a whole number")
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    @Test
    void open_sourceIsTooWeak_throwsAConfigException() throws InterruptedException {
        baton.records("config").put("$baton", "nonsense".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() ->
                        LiveConfig.builder(baton).atLeast(ConfigSource.LIVE).open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("must be LIVE");
    }

    @Test
    void historyMayNotBeRead_bindTakesWhatTheServiceBrings() throws InterruptedException {
        withHistory("may-not", new CoordinationException("this client may not read it"), config -> {
            Binding<Integer> a = config.bind("a", Integer.class);

            assertThat(a.get()).isEqualTo(77);
            assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("a");
        });
    }

    @Test
    void historyCannotBeReadNow_bindThrowsWithTheKeyAndBothReasons() throws InterruptedException {
        withHistory(
                "not-now",
                new StoreUnavailableException("no answer"),
                config -> assertThatThrownBy(() -> config.bind("a", Integer.class))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageContaining("cannot bind a")
                        .hasMessageContaining("many")
                        .hasMessageContaining("no answer"));
    }

    /** Starts a service whose value does not fit, where reading the history fails. */
    private static void withHistory(String name, CoordinationException failure, Consumer<LiveConfig> then)
            throws InterruptedException {
        var hooked = new HookedStore(
                MemoryStore.named(name),
                n -> Supplier::get,
                (key, read) ->
                        key.tree().equals("config.history") ? CompletableFuture.failedStage(failure) : read.apply(key));
        try (Coordinator writer = Coordinator.connect("mem:" + name);
                Coordinator baton = Coordinator.connect(hooked, CoordinatorOptions.defaults())) {
            ConfigStore.of(writer).edit().put("a", "1").commit();
            ConfigStore.of(writer).edit().put("a", "many").commit();
            try (LiveConfig config =
                    LiveConfig.builder(baton).defaults(Map.of("a", "77")).open()) {
                then.accept(config);
            }
        } finally {
            MemoryStore.drop(name);
        }
    }

    @Test
    void coordinatorClosed_bindDoesNotBlock() throws InterruptedException {
        store.edit().put("a", "1").put("b", "1").commit();
        store.edit().put("b", "many").commit();
        LiveConfig config =
                LiveConfig.builder(baton).startTimeout(Duration.ofMinutes(10)).open(); // beyond this class's limit
        baton.close();
        assertThatThrownBy(() -> config.bind("b", Integer.class)).isInstanceOf(ConfigException.class);
    }

    @Test
    void promote_theApplicationHasRejectedItWhileTheBaseIsBad_isRefused() throws Exception {
        store.edit().put("a", "1").put("b", "1").commit();
        LiveConfig config = LiveConfig.builder(baton).instance("i1").open();
        Binding<Integer> a = config.bind("a", Integer.class);
        config.bind("b", Integer.class);
        await().until(() -> store.fleet().size() == 1);
        Canary canary = store.edit().put("a", "2").canary(Map.of(), 100);
        await().until(() -> a.get() == 2);
        store.edit().put("b", "x").commit();
        await().until(() -> config.status().rejection().isPresent());
        config.rejectCanary(canary.id(), "too many errors");
        await().until(() -> !store.canary().orElseThrow().held().isEmpty());
        assertThatThrownBy(() -> store.promote(canary.id())).isInstanceOf(ConfigConflictException.class);
    }

    private interface Step {
        void run() throws Exception;
    }

    /** A coordinator with one callback thread; its configuration has {@code a} in use, and {@code b} will go back. */
    private LiveConfig goingBack(ThreadPoolExecutor only, Coordinator on, Step duringIt) throws Exception {
        store.edit().put("a", "1").put("b", "1").commit();
        ran("a", "b");
        store.edit().put("a", "2").put("b", "many").commit();
        LiveConfig config = start(on);
        config.binding("a", Integer.class)
                .prepare(value -> {
                    if (value == 1) {
                        unchecked(() -> {
                            long before = only.getTaskCount();
                            // News that find others still waiting come with them, and are no task of their own.
                            await().atMost(Duration.ofSeconds(30)).until(() -> {
                                store.edit()
                                        .put("c", String.valueOf(System.nanoTime()))
                                        .commit();
                                return only.getTaskCount() > before;
                            });
                            duringIt.run();
                        });
                    }
                })
                .bind();
        return config;
    }

    private static void unchecked(Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void bindGoesBack_prepareWaitsForTheOnlyCallbackThread_newsDoNotHoldItUp() throws Exception {
        var only = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        var options = CoordinatorOptions.builder().callbacks(only).build();
        try (Coordinator other = Coordinator.connect("mem:restart-threads", options)) {
            LiveConfig config =
                    goingBack(only, other, () -> only.submit(() -> {}).get(30, TimeUnit.SECONDS));

            Binding<Integer> b = config.bind("b", Integer.class);

            assertThat(b.get()).isEqualTo(1);
            store.edit().put("b", "3").commit();
            await().until(() -> b.get() == 3);
        } finally {
            only.shutdown();
        }
    }

    @Test
    void bindCannotGoBack_whatCameMeanwhileComesIntoUse() throws Exception {
        var only = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        var options = CoordinatorOptions.builder().callbacks(only).build();
        try (Coordinator other = Coordinator.connect("mem:restart-threads", options)) {
            LiveConfig config = goingBack(only, other, () -> {
                only.submit(() -> {}).get(30, TimeUnit.SECONDS);
                throw new IllegalStateException("not these");
            });

            assertThatThrownBy(() -> config.bind("b", Integer.class)).isInstanceOf(ConfigException.class);

            await().until(() -> config.get("c").isPresent());
        } finally {
            only.shutdown();
        }
    }
}
