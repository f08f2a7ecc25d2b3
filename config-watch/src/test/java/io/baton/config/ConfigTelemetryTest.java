package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinatorOptions;
import io.baton.Telemetry;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.recipe.RecipeContext;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What telemetry is told of a configuration. */
class ConfigTelemetryTest {

    private final Rig rig = new Rig("telemetry");
    private final List<String> told = new ArrayList<>();
    private Duration unconfirmedFor = Duration.ZERO;

    @TempDir
    Path directory;

    private DefaultCoordinator app(Executor callbacks) {
        var telemetry = new Telemetry() {
            @Override
            public void configuration(Configuration event) {
                told.add(event.what() + " " + event.source() + " " + event.rejected());
                unconfirmedFor = event.unconfirmedFor();
            }

            @Override
            public void dropped(Dropped event) {
                told.add("dropped");
            }
        };
        return DefaultCoordinator.start(
                rig.store,
                rig.loop,
                callbacks,
                CoordinatorOptions.builder()
                        .client("app")
                        .ttl(Rig.TTL)
                        .telemetry(telemetry)
                        .build());
    }

    @Test
    void configuration_appliedRejectedOutOfContactAndBack_isTold() {
        rig.write("a", "1");
        LiveConfig config = rig.open(LiveConfig.builder(app(rig.loop)));
        config.bind("a", Integer.class);
        rig.write("a", "x");
        rig.write("a", "2");
        rig.cutFor(Duration.ofSeconds(3), () -> {});
        config.close();
        rig.write("a", "3");

        assertThat(told)
                .startsWith("CONFIRMED BUNDLED ", "APPLIED LIVE ")
                .anyMatch(each -> each.startsWith("REJECTED LIVE a: a must be a whole number"))
                .containsSubsequence("APPLIED LIVE ", "UNCONFIRMED LIVE ", "CONFIRMED LIVE ");
    }

    /** A process that starts again and again without the store does not make the values younger. */
    @Test
    void configuration_fromTheCache_isToldWithItsAge() {
        rig.write("a", "1");
        Path cache = directory.resolve("cache");
        rig.open(rig.builder().cache(cache)).close();
        rig.pass(Duration.ofHours(72));
        told.clear();

        DefaultCoordinator app = app(rig.loop);
        rig.store.suspend("app");
        LiveConfig config = rig.open(LiveConfig.builder(app).cache(cache));

        assertThat(told).containsExactly("APPLIED CACHED ");
        assertThat(unconfirmedFor).isGreaterThanOrEqualTo(Duration.ofHours(72));
        assertThat(config.status().unconfirmedFor())
                .isBetween(unconfirmedFor, unconfirmedFor.plus(Duration.ofSeconds(6)));
        rig.store.resume();
        rig.pass(Duration.ofSeconds(1));
        assertThat(told).contains("CONFIRMED CACHED ");
        assertThat(unconfirmedFor).isZero();
    }

    @Test
    void configuration_closed_isToldOnceAndLast() {
        rig.write("a", "1");
        DefaultCoordinator app = app(rig.loop);
        LiveConfig config = rig.open(LiveConfig.builder(app));
        config.close();
        rig.write("a", "2");
        var unused = app.closeAsync();
        rig.pass(Rig.TTL);

        assertThat(told).containsExactly("CONFIRMED BUNDLED ", "APPLIED LIVE ", "CLOSED LIVE ");
    }

    @Test
    void coordinator_closed_endsTheConfigurationsOfIt() {
        rig.write("a", "1");
        DefaultCoordinator app = app(rig.loop);
        LiveConfig config = rig.open(LiveConfig.builder(app));
        var unused = app.closeAsync();
        rig.pass(Rig.TTL);
        config.close();

        assertThat(told).containsExactly("CONFIRMED BUNDLED ", "APPLIED LIVE ", "CLOSED LIVE ");
    }

    @Test
    void configurations_twoOfOneSpace_areToldAsClosedWithTheLast() {
        rig.write("a", "1");
        DefaultCoordinator app = app(rig.loop);
        LiveConfig one = rig.open(LiveConfig.builder(app));
        LiveConfig other = rig.open(LiveConfig.builder(app));
        told.clear();
        one.close();
        rig.pass(Duration.ofSeconds(1));
        assertThat(told).isEmpty();
        other.close();
        rig.pass(Duration.ofSeconds(1));

        assertThat(told).containsExactly("CLOSED LIVE ");
        rig.open(LiveConfig.builder(app)).close();
        rig.pass(Duration.ofSeconds(1));
        assertThat(told).endsWith("CONFIRMED BUNDLED ", "APPLIED LIVE ", "CLOSED LIVE ");
    }

    @Test
    void configuration_anotherOneCouldNotBeOpened_isToldAsClosedAllTheSame() {
        rig.write("a", "1");
        DefaultCoordinator app = app(rig.loop);
        assertThatThrownBy(() -> rig.open(LiveConfig.builder(app).instance(""))).isInstanceOf(RuntimeException.class);
        rig.open(LiveConfig.builder(app)).close();
        rig.pass(Duration.ofSeconds(1));

        assertThat(told).endsWith("CLOSED LIVE ");
    }

    @Test
    void slowListener_manyEvents_missesNoChangeOfContactAndNoEnd() {
        Deque<Runnable> held = new ArrayDeque<>();
        boolean[] slow = {false};
        DefaultCoordinator app = app(task -> {
            if (slow[0]) {
                held.add(task);
            } else {
                rig.loop.execute(task);
            }
        });
        rig.write("a", "1");
        LiveConfig config = rig.open(LiveConfig.builder(app));
        told.clear();

        slow[0] = true;
        RecipeContext events = RecipeContext.of(app, "tests");
        for (int i = 0; i < 1_001; i++) {
            events.report(() -> to -> to.released(new Telemetry.Released(Instant.EPOCH, "orders", 1, Duration.ZERO)));
        }
        rig.cutFor(Duration.ofSeconds(3), () -> {});
        config.close();
        rig.pass(Duration.ofSeconds(1));
        while (!held.isEmpty()) {
            held.remove().run();
        }

        assertThat(told)
                .contains("dropped")
                .containsSubsequence("UNCONFIRMED LIVE ", "CONFIRMED LIVE ", "CLOSED LIVE ");
    }
}
