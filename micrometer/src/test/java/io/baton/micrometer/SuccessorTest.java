package io.baton.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.ElectionTelemetry.HealthChange;
import io.baton.ElectionTelemetry.StandbyChange;
import io.baton.ElectionTelemetry.TermBegan;
import io.baton.Hold;
import io.baton.SessionState;
import io.baton.Telemetry.Configuration;
import io.baton.Telemetry.Load;
import io.baton.Telemetry.SessionChange;
import io.baton.memory.MemoryStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Gauges of coordinators that follow each other, or stand beside each other, in one registry. */
@Timeout(120)
class SuccessorTest {

    private static final String NAME = SuccessorTest.class.getName();
    private static final Instant AT = Instant.EPOCH;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final MemoryStore store = MemoryStore.named(NAME);

    @AfterEach
    void drop() {
        MemoryStore.drop(NAME);
    }

    // ---- real coordinators

    @Test
    void coordinator_closedAndOpenedAgain_showsItsOwnState() throws Exception {
        try (Coordinator former = connect("former")) {
            var unused = former.lock("orders").acquire();
            soon(() -> value("baton.holding") == 1 && session("connected") == 1);
        }
        soon(() -> value("baton.holding") == 0 && session("closed") == 1);
        assertThat(session("connected")).isZero();

        try (Coordinator baton = connect("next");
                Hold hold = baton.lock("orders").acquire()) {
            soon(() -> session("connected") == 1 && value("baton.holding") == 1);
            assertThat(session("closed")).isZero();
            assertThat(hold.remaining()).isPositive();

            store.suspend("next");
            soon(() -> session("suspended") == 1 && session("connected") == 0);
            store.resume();
            soon(() -> session("connected") == 1);
        }
    }

    private Coordinator connect(String client) throws InterruptedException {
        var options = CoordinatorOptions.builder().client(client).telemetry(MicrometerTelemetry.of(registry));
        return Coordinator.connect("mem:" + NAME, options.build());
    }

    private static void soon(Callable<Boolean> condition) {
        await().atMost(Duration.ofSeconds(30)).until(condition);
    }

    // ---- events

    @Test
    void telemetry_sameRegistryAndTags_takesThePlaceOfEachGauge() {
        MicrometerTelemetry former = telemetry(registry);
        everything(former);
        assertThat(registry.get("baton.election.leading").gauge().value()).isEqualTo(1);
        MicrometerTelemetry next = telemetry(registry);

        assertThat(gauges()).containsOnly("baton.waiting", "baton.holding", "baton.session.state");
        assertThat(session("suspended")).isEqualTo(1);
        assertThat(value("baton.holding")).isZero();
        begin(next, "other");
        node(next, "other");
        assertThat(registry.get("baton.election.leading").gauge().value()).isEqualTo(1);
        assertThat(registry.get("baton.standby.unhealthy").gauges()).hasSize(1);
        assertThat(registry.get("baton.election.terms").counters()).hasSize(2);
    }

    /** A mistake, but not one that hides what the documents say is shown. */
    @Test
    void telemetry_twoAtOnceOfTheSameTags_theOneBuiltLastIsShown() {
        MicrometerTelemetry one = telemetry(registry);
        MicrometerTelemetry other = telemetry(registry);
        session(other, SessionState.LOST);
        everything(one);

        assertThat(gauges()).containsOnly("baton.waiting", "baton.holding", "baton.session.state");
        assertThat(session("lost")).isEqualTo(1);
        assertThat(session("connected")).isZero();
        assertThat(registry.get("baton.session.changes").counters()).hasSize(2);
        everything(other);
        assertThat(session("connected")).isEqualTo(1);
        configuration(one, Configuration.What.CLOSED);
        assertThat(registry.get("baton.config.unconfirmed").gauges()).hasSize(1);
    }

    @Test
    void telemetry_otherTagsOrAnotherRegistry_leavesGaugesAlone() {
        everything(telemetry(registry));
        int before = gauges().size();
        telemetry(registry, Tag.of("coordinator", "b"));
        telemetry(new SimpleMeterRegistry());

        assertThat(registry.get("baton.holding").gauges()).hasSize(2);
        assertThat(gauges()).hasSize(before + 2 + SessionState.values().length);
        assertThat(registry.get("baton.election.leading").gauge().value()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void telemetry_ofACompositeOrFilteredRegistry_takesThePlaceToo(boolean composite) {
        MeterRegistry where = registry;
        if (composite) {
            where = new CompositeMeterRegistry().add(registry);
        } else {
            registry.config().meterFilter(MeterFilter.commonTags(Tags.of("service", "shop")));
        }
        everything(telemetry(where));
        MicrometerTelemetry next = telemetry(where);
        assertThat(registry.find("baton.election.leading").gauges()).isEmpty();
        session(next, SessionState.CONNECTED);

        assertThat(session("connected")).isEqualTo(1);
        assertThat(session("closed")).isZero();
    }

    // ---- what is kept

    @Test
    void telemetry_forgottenByAll_isNotKeptAndItsGaugesGoOn() {
        WeakReference<MicrometerTelemetry> gone = new WeakReference<>(told());
        collect(gone);

        assertThat(registry.getMeters().stream().filter(Gauge.class::isInstance).map(meter -> ((Gauge) meter).value()))
                .isNotEmpty()
                .noneMatch(value -> value.isNaN());
        assertThat(registry.get("baton.election.leading").gauge().value()).isEqualTo(1);
    }

    private MicrometerTelemetry told() {
        MicrometerTelemetry telemetry = telemetry(registry);
        everything(telemetry);
        return telemetry;
    }

    @Test
    void registry_forgottenByAll_isNotKept() {
        collect(new WeakReference<>(used()));
    }

    private static MeterRegistry used() {
        MeterRegistry forgotten = new CompositeMeterRegistry().add(new SimpleMeterRegistry());
        everything(telemetry(forgotten));
        return forgotten;
    }

    private static void collect(WeakReference<?> gone) {
        soon(() -> {
            System.gc();
            return gone.get() == null;
        });
    }

    // ---- the parts

    private static MicrometerTelemetry telemetry(MeterRegistry where, Tag... tags) {
        return MicrometerTelemetry.builder(where).tags(Tags.of(tags)).build();
    }

    private static void everything(MicrometerTelemetry to) {
        session(to, SessionState.CONNECTED);
        to.load(new Load(AT, 3, 4));
        begin(to, "boss");
        node(to, "boss");
        configuration(to, Configuration.What.UNCONFIRMED);
    }

    private static void session(MicrometerTelemetry to, SessionState state) {
        to.session(new SessionChange(AT, "7", state, Duration.ZERO, ""));
    }

    private static void begin(MicrometerTelemetry to, String election) {
        to.termBegan(new TermBegan(AT, election, "a", 7, Duration.ZERO));
    }

    private static void node(MicrometerTelemetry to, String election) {
        to.standby(new StandbyChange(AT, election, "n", StandbyChange.State.ACTIVE, 7, Duration.ZERO));
        to.health(new HealthChange(AT, election, "n", false));
    }

    private static void configuration(MicrometerTelemetry to, Configuration.What what) {
        to.configuration(new Configuration(AT, "config", what, "LIVE", 70, 7, 7, "", Duration.ZERO));
    }

    private List<String> gauges() {
        return registry.getMeters().stream()
                .filter(Gauge.class::isInstance)
                .map(Meter::getId)
                .map(Meter.Id::getName)
                .toList();
    }

    private double value(String name) {
        return registry.get(name).gauge().value();
    }

    private double session(String state) {
        return registry.get("baton.session.state").tag("state", state).gauge().value();
    }
}
