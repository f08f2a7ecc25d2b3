package io.baton.micrometer;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.Telemetry;
import io.baton.Telemetry.Configuration.What;
import io.baton.config.LiveConfig;
import io.baton.memory.MemoryStore;
import io.baton.recipe.RecipeContext;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The metrics of real coordinators on the store in memory. */
@Timeout(120)
class MicrometerTelemetryTest {

    private static final String NAME = MicrometerTelemetryTest.class.getName();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MemoryStore store = MemoryStore.named(NAME);

    @AfterEach
    void drop() {
        MemoryStore.drop(NAME);
    }

    private static CoordinatorOptions.Builder options(String client) {
        return CoordinatorOptions.builder().client(client);
    }

    private Coordinator measured() throws InterruptedException {
        return connect(options("measured").telemetry(MicrometerTelemetry.of(registry)));
    }

    private static Coordinator connect(CoordinatorOptions.Builder options) throws InterruptedException {
        return Coordinator.connect("mem:" + NAME, options.build());
    }

    private static void soon(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(30)).until(condition);
    }

    private double gauge(String state) {
        return registry.get("baton.session.state").tag("state", state).gauge().value();
    }

    private long times(String name, String... tags) {
        Timer timer = registry.find(name).tags(tags).timer();
        return timer == null ? 0 : timer.count();
    }

    private double count(String name, String... tags) {
        var counter = registry.find(name).tags(tags).counter();
        return counter == null ? 0 : counter.count();
    }

    /** The rule of {@link io.baton} for code that throws. */
    @Test
    void lockGroup_throws_costsNothingButWhatItWasAskedAbout() throws Exception {
        MicrometerTelemetry telemetry = MicrometerTelemetry.builder(registry)
                .lockGroup(name -> {
                    if (name.equals("odd")) {
                        throw new IllegalStateException("as it may");
                    }
                    return name;
                })
                .build();
        try (Coordinator baton = connect(options("measured").telemetry(telemetry))) {
            baton.lock("odd").acquire().close();
            baton.lock("orders").acquire().close();
            soon(() -> times("baton.lock.handoff", "lock", "orders") == 1);
        }
        soon(() -> gauge("closed") == 1);
        assertThat(times("baton.lock.handoff", "lock", "odd")).isZero();
    }

    @Test
    void lockLife_measured_countsWaitsHoldsAndRequests() throws Exception {
        try (Coordinator baton = measured()) {
            for (int i = 0; i < 3; i++) {
                baton.lock("orders").acquire().close();
            }
            try (Hold hold = baton.lock("orders").acquire()) {
                assertThat(baton.lock("orders").tryAcquire()).isEmpty();
                assertThat(baton.lock("orders").tryAcquire(Duration.ofMillis(20)))
                        .isEmpty();
                CompletableFuture<Hold> cancelled = baton.lock("orders").acquireAsync();
                cancelled.cancel(false);
                soon(() -> times("baton.lock.wait", "outcome", "cancelled") == 1);
                assertThat(hold.remaining()).isPositive();
            }

            soon(() -> times("baton.lock.handoff", "lock", "orders") == 4);
        }
        soon(() -> gauge("closed") == 1);

        assertThat(times("baton.lock.wait", "lock", "orders", "outcome", "granted"))
                .isEqualTo(4);
        assertThat(times("baton.lock.wait", "lock", "orders", "outcome", "taken"))
                .isEqualTo(1);
        assertThat(times("baton.lock.wait", "lock", "orders", "outcome", "timed_out"))
                .isEqualTo(1);
        assertThat(registry.get("baton.lock.wait")
                        .tag("outcome", "timed_out")
                        .timer()
                        .totalTime(NANOSECONDS))
                .isGreaterThanOrEqualTo(20_000_000);
        assertThat(times("baton.lock.held", "lock", "orders", "end", "released"))
                .isEqualTo(4);
        assertThat(times("baton.requests", "kind", "join", "outcome", "ok")).isGreaterThanOrEqualTo(4);
        assertThat(times("baton.requests", "kind", "commit", "outcome", "ok")).isPositive();
        assertThat(count("baton.lock.lost")).isZero();
    }

    @Test
    void load_nowAndThen_showsInTheGauges() throws Exception {
        try (Coordinator baton = measured()) {
            Hold hold = baton.lock("orders").acquire();
            CompletableFuture<Hold> waiting = baton.lock("orders").acquireAsync();
            soon(() -> registry.get("baton.holding").gauge().value() == 1
                    && registry.get("baton.waiting").gauge().value() == 1);
            waiting.cancel(false);
            hold.close();
            soon(() -> registry.get("baton.holding").gauge().value() == 0
                    && registry.get("baton.waiting").gauge().value() == 0);
        }
    }

    @Test
    void configuration_appliedRejectedAndUnconfirmed_showsInItsMeters() {
        long[] nanos = {0};
        ConfigMeters meters = configMeters(() -> nanos[0]);
        meters.update(config(What.APPLIED, "CACHED", 7, 7, ""));
        assertThat(configGauge("source", "source", "cached")).isEqualTo(1);
        meters.update(config(What.APPLIED, "LIVE", 7, 7, ""));
        meters.update(config(What.REJECTED, "LIVE", 7, 9, "limit: too large"));
        meters.update(config(What.UNCONFIRMED, "LIVE", 7, 9, "limit: too large"));
        nanos[0] += 1_500_000_000L;

        assertThat(configGauge("change")).isEqualTo(7);
        assertThat(configGauge("revision")).isEqualTo(70);
        assertThat(configGauge("behind")).isEqualTo(2);
        assertThat(configGauge("rejecting")).isEqualTo(1);
        assertThat(configGauge("unconfirmed")).isEqualTo(1.5);
        assertThat(configGauge("source", "source", "cached")).isZero();
        assertThat(configGauge("source", "source", "live")).isEqualTo(1);
        assertThat(count("baton.config.events", "what", "applied")).isEqualTo(2);

        meters.update(config(What.CONFIRMED, "LIVE", 7, 9, "limit: too large"));
        meters.update(config(What.APPLIED, "LIVE", 10, 10, ""));
        assertThat(configGauge("unconfirmed")).isZero();
        assertThat(configGauge("behind")).isZero();
        assertThat(configGauge("rejecting")).isZero();
    }

    /** As after a start from the cache: an earlier process was the last to know that the values are the newest. */
    @Test
    void configuration_neverConfirmed_isUnconfirmedForAsLongAsItsEventsSay() {
        long[] nanos = {0};
        ConfigMeters meters = configMeters(() -> nanos[0]);
        meters.update(config(What.APPLIED, "CACHED", 7, 7, "", Duration.ofHours(72)));
        nanos[0] += 2_000_000_000L;
        assertThat(configGauge("unconfirmed")).isEqualTo(72 * 3_600 + 2);

        meters.update(config(What.APPLIED, "CACHED", 7, 7, "", Duration.ofSeconds(9)));
        assertThat(configGauge("unconfirmed")).isEqualTo(9);
    }

    /** Values may come into use, and the contact change, at the same time. */
    @Test
    void configuration_appliedSaysThatItIsUnconfirmedBehindConfirmed_isConfirmed() {
        ConfigMeters meters = configMeters(() -> 0);
        meters.update(config(What.CONFIRMED, "LIVE", 7, 7, ""));
        meters.update(config(What.APPLIED, "LIVE", 7, 7, "", Duration.ofHours(72)));

        assertThat(configGauge("unconfirmed")).isZero();
    }

    @Test
    void configuration_closedAndOpenedAgain_hasNoGaugesBetweenAndBeginsAnew() {
        long[] nanos = {0};
        ConfigMeters meters = configMeters(() -> nanos[0]);
        meters.update(config(What.CONFIRMED, "LIVE", 7, 9, "limit: too large"));
        meters.update(config(What.UNCONFIRMED, "LIVE", 7, 9, "limit: too large"));
        meters.update(config(What.CLOSED, "LIVE", 7, 9, "limit: too large"));
        assertThat(registry.getMeters())
                .extracting(meter -> meter.getId().getName())
                .containsOnly("baton.config.events");
        assertThat(count("baton.config.events", "what", "closed")).isEqualTo(1);

        nanos[0] += 5_000_000_000L;
        meters.update(config(What.CONFIRMED, "BUNDLED", 0, 10, ""));
        meters.update(config(What.APPLIED, "LIVE", 10, 10, ""));
        assertThat(configGauge("rejecting")).isZero();
        assertThat(configGauge("unconfirmed")).isZero();
        assertThat(configGauge("change")).isEqualTo(10);
    }

    @Test
    void configuration_confirmedBehindManyEvents_isUnconfirmedNoMore() throws Exception {
        CountDownLatch hang = new CountDownLatch(1);
        MicrometerTelemetry telemetry = MicrometerTelemetry.builder(registry)
                .lockGroup(name -> {
                    awaitQuietly(hang);
                    return name;
                })
                .build();
        try (Coordinator baton = connect(options("measured").telemetry(telemetry));
                LiveConfig config = LiveConfig.builder(baton).open()) {
            soon(() -> count("baton.config.events", "what", "confirmed") == 1);
            store.suspend("measured");
            soon(() -> count("baton.config.events", "what", "unconfirmed") == 1);
            RecipeContext events = RecipeContext.of(baton, "tests");
            for (int i = 0; i < 1_002; i++) {
                events.report(() -> to -> to.rejoined(new Telemetry.Rejoined(Instant.EPOCH, "a", Duration.ZERO, "")));
            }
            assertThat(config.status().unconfirmedFor()).isPositive();

            store.resume();
            soon(() -> config.status().unconfirmedFor().isZero());
            hang.countDown();

            soon(() -> count("baton.telemetry.dropped") > 0);
            soon(() -> registry.get("baton.config.unconfirmed").gauge().value() == 0);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private ConfigMeters configMeters(LongSupplier nanos) {
        Tags tags = Tags.of("app", "shop");
        return new ConfigMeters(registry, tags, new Gauges(registry, tags), nanos);
    }

    private static Telemetry.Configuration config(What what, String source, long change, long newest, String rejected) {
        return config(what, source, change, newest, rejected, Duration.ZERO);
    }

    private static Telemetry.Configuration config(
            What what, String source, long change, long newest, String rejected, Duration unconfirmedFor) {
        return new Telemetry.Configuration(
                Instant.EPOCH, "config", what, source, change * 10, change, newest, rejected, unconfirmedFor);
    }

    private double configGauge(String name, String... tags) {
        return registry.get("baton.config." + name)
                .tag("space", "config")
                .tag("app", "shop")
                .tags(tags)
                .gauge()
                .value();
    }

    @Test
    void session_lost_showsInTheGaugeAndCountsTheLosses() throws Exception {
        try (Coordinator baton = measured()) {
            soon(() -> gauge("connected") == 1);
            assertThat(gauge("suspended")).isZero();
            var unused = baton.lock("orders").acquire();

            store.suspend("measured");
            soon(() -> gauge("suspended") == 1);
            store.resume();
            soon(() -> times("baton.lock.jeopardy", "lock", "orders") == 1);
            store.expireSessions("measured");

            soon(() -> count("baton.lock.lost", "lock", "orders") == 1);
            soon(() -> count("baton.session.changes", "state", "lost") == 1);
            soon(() -> gauge("connected") == 1);
            assertThat(times("baton.lock.held", "end", "lost")).isEqualTo(1);
        }
    }

    @Test
    void waiter_joinsAgain_isCounted() throws Exception {
        var options = options("measured").rejoin(true).telemetry(MicrometerTelemetry.of(registry));
        try (Coordinator other = connect(options("other"));
                Hold hold = other.lock("orders").acquire();
                Coordinator baton = connect(options)) {
            var unused = baton.lock("orders").acquireAsync();
            soon(() -> hold.remaining().isZero() || other.lock("orders").queue().size() == 2);

            store.expireSessions("measured");

            soon(() -> count("baton.lock.rejoined", "lock", "orders") == 1);
        }
    }

    @Test
    void lockTag_manyNames_isBounded() {
        var telemetry = MicrometerTelemetry.builder(registry).maxLocks(3).build();
        for (int i = 0; i < 100; i++) {
            telemetry.released(new Telemetry.Released(Instant.EPOCH, "order-" + i, i, Duration.ofMillis(1)));
        }

        assertThat(registry.find("baton.lock.held").timers())
                .extracting(timer -> timer.getId().getTag("lock"))
                .containsExactlyInAnyOrder("order-0", "order-1", "order-2", LockTags.OTHER);
        assertThat(times("baton.lock.held", "lock", LockTags.OTHER)).isEqualTo(97);
    }

    @Test
    void lockTag_grouped_makesOneOfMany() {
        var telemetry = MicrometerTelemetry.builder(registry)
                .lockGroup(name -> name.replaceAll("-\\d+$", ""))
                .tags(Tags.of("coordinator", "shop"))
                .build();
        for (int i = 0; i < 100; i++) {
            telemetry.released(new Telemetry.Released(Instant.EPOCH, "order-" + i, i, Duration.ofMillis(1)));
        }
        telemetry.dropped(new Telemetry.Dropped(Instant.EPOCH, 7));

        assertThat(times("baton.lock.held", "lock", "order")).isEqualTo(100);
        assertThat(count("baton.telemetry.dropped")).isEqualTo(7);
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .allSatisfy(id -> assertThat(id.getTag("coordinator")).isEqualTo("shop"));
    }

    @Test
    void build_negativeBound_isRefused() {
        assertThatThrownBy(
                        () -> MicrometerTelemetry.builder(registry).maxLocks(-1).build())
                .hasMessageContaining("maxLocks");
    }
}
