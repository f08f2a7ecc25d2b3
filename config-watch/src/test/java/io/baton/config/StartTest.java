package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Space;
import io.baton.internal.client.DefaultCoordinator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a configuration begins with, with and without the store. */
class StartTest {

    private final Rig rig = new Rig("start");
    private final List<ConfigEvent> events = new ArrayList<>();

    @TempDir
    Path directory;

    private LiveConfigBuilder cached() {
        return rig.builder().cache(directory.resolve("cache")).defaults(Map.of("limit", "1", "own", "2"));
    }

    private LiveConfig withoutTheStore(LiveConfigBuilder builder) {
        rig.store.suspend("app");
        LiveConfig config = rig.open(builder);
        config.onEvent(events::add);
        return config;
    }

    private void remember(String... keysAndTexts) {
        LiveConfig before = rig.open(cached());
        rig.write(keysAndTexts);
        before.close();
        rig.loop.run();
    }

    @Test
    void open_noStoreAndNoCache_isBundledAndSwitchesOver() {
        LiveConfig config = withoutTheStore(cached());
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.BUNDLED);
        assertThat(config.get("limit")).contains("1");
        assertThat(config.status().healthy()).isFalse();
        assertThat(config.status().unconfirmedFor()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));

        rig.write("limit", "5");
        rig.store.resume();
        rig.loop.run();

        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(config.get("limit")).contains("5");
        assertThat(config.get("own")).contains("2");
        assertThat(events).containsExactly(new ConfigEvent.Switched(ConfigSource.BUNDLED, ConfigSource.LIVE));
        assertThat(config.status().healthy()).isTrue();
        assertThat(config.status().unconfirmedFor()).isZero();
    }

    @Test
    void open_noStore_isCachedAndSwitchesOver() {
        remember("limit", "5", "$baton", "{\"change\":3,\"oldest\":1,\"retain\":9,\"secrets\":[\"limit\"]}");
        rig.pass(Duration.ofMinutes(3));

        LiveConfig config = withoutTheStore(cached());

        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(config.snapshot().change()).isEqualTo(3);
        assertThat(config.snapshot().value("limit").orElseThrow().secret()).isTrue();
        assertThat(config.get("limit")).contains("5");
        assertThat(config.status().seen()).isEqualTo(config.status().applied());
        assertThat(config.status().unconfirmedFor()).isGreaterThanOrEqualTo(Duration.ofMinutes(3));
        rig.store.resume();
        rig.loop.run();
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(events).containsExactly(new ConfigEvent.Switched(ConfigSource.CACHED, ConfigSource.LIVE));
    }

    @Test
    void open_cacheTooOld_isNotUsed() {
        remember("limit", "5");
        rig.pass(Duration.ofMinutes(3));
        assertThat(withoutTheStore(cached().maxCacheAge(Duration.ofMinutes(2)))
                        .snapshot()
                        .source())
                .isEqualTo(ConfigSource.BUNDLED);
        rig.pass(Duration.ofSeconds(1));
        assertThat(withoutTheStore(cached().maxCacheAge(Duration.ofMinutes(5)))
                        .snapshot()
                        .source())
                .isEqualTo(ConfigSource.CACHED);
    }

    @Test
    void open_ownRecordUnreadable_isCachedAtOnceAndSaysWhy() {
        remember("limit", "5");
        rig.write("limit", "6", "$baton", "nonsense");

        CompletableFuture<LiveConfig> opened =
                cached().instance("web").startTimeout(Duration.ofDays(1)).openAsync();
        rig.loop.run();

        assertThat(opened).isDone();
        LiveConfig config = opened.join();
        config.onEvent(events::add);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(config.get("limit")).contains("5");
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("$baton");
        assertThat(config.status().healthy()).isFalse();
        FleetMember member = member();
        assertThat(member.source()).isEqualTo(ConfigSource.CACHED);
        assertThat(member.rejected()).startsWith("$baton: ");

        rig.write("$baton", null);

        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(config.get("limit")).contains("6");
        assertThat(config.status().rejection()).isEmpty();
        assertThat(events).hasSize(2).hasAtLeastOneElementOfType(ConfigEvent.Recovered.class);
    }

    @Test
    void open_ownRecordUnreadableAndNoCache_isBundledAtOnceAndSaysWhy() {
        rig.write("limit", "6", "$baton", "nonsense");

        CompletableFuture<LiveConfig> opened =
                cached().startTimeout(Duration.ofDays(1)).openAsync();
        rig.loop.run();

        assertThat(opened).isDone();
        LiveConfig config = opened.join();
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.BUNDLED);
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("$baton");
    }

    @Test
    void open_ownRecordUnreadableAndMustBeLive_failsAtOnceAndSaysWhy() {
        remember("limit", "5");
        rig.write("$baton", "nonsense");

        CompletableFuture<LiveConfig> opened = cached().atLeast(ConfigSource.LIVE)
                .startTimeout(Duration.ofDays(1))
                .openAsync();
        rig.loop.run();

        assertThat(opened).isDone();
        assertThatThrownBy(opened::join)
                .hasCauseInstanceOf(ConfigException.class)
                .hasMessageContaining("would start CACHED, but must be LIVE: what the store has is rejected, $baton: ");
    }

    private FleetMember member() {
        return fleet().get(0);
    }

    private List<FleetMember> fleet() {
        rig.pass(Duration.ofSeconds(3));
        var found = new Space(ConfigSpace.of(rig.client("reader"), "config")).fleet();
        rig.pass(Duration.ofSeconds(1));
        return found.join();
    }

    @Test
    void openAsync_givenUpBeforeTheStart_isClosedAndAnotherOpens() {
        rig.write("limit", "5");
        rig.store.suspend("app");
        CompletableFuture<LiveConfig> cancelled = cached().instance("web").openAsync();
        CompletableFuture<LiveConfig> overtaken = cached().instance("other").openAsync();
        rig.loop.run();

        cancelled.cancel(false);
        overtaken.completeExceptionally(new TimeoutException());
        rig.pass(Duration.ofSeconds(6));
        rig.store.resume();

        assertThat(fleet()).isEmpty();
        LiveConfig config = rig.open(cached().instance("web"));
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(fleet()).extracting(FleetMember::id).containsExactly("web");
        rig.write("limit", "6");
        config.close();
        rig.loop.run();
        assertThat(withoutTheStore(cached()).get("limit")).contains("6");
    }

    @Test
    void openAsync_openAndCancelledAfterwards_staysOpen() {
        rig.write("limit", "5");
        CompletableFuture<LiveConfig> opened = cached().openAsync();
        rig.loop.run();

        assertThat(opened.cancel(false)).isFalse();
        rig.write("limit", "6");

        assertThat(opened.join().get("limit")).contains("6");
    }

    @Test
    void open_storeIsOlderThanTheCache_isRewoundAndFollowed() {
        rig.write("limit", "5", "other", "1");
        remember("limit", "6", "more", "7");
        Rig younger = new Rig("start-younger");
        younger.write("limit", "4");
        List<ConfigEvent> heard = new ArrayList<>();
        younger.store.suspend("app");
        LiveConfig config =
                younger.open(younger.builder().cache(directory.resolve("cache")).startTimeout(Duration.ofSeconds(1)));
        config.onEvent(heard::add);
        younger.store.resume();
        younger.loop.run();

        assertThat(config.snapshot().values()).containsOnlyKeys("limit");
        assertThat(config.get("limit")).contains("4");
        assertThat(heard).hasSize(2);
        ConfigEvent.Rewound rewound = (ConfigEvent.Rewound) heard.get(0);
        assertThat(rewound.known().revision()).isGreaterThan(rewound.at().revision());
        assertThat(rewound.differences()).extracting(KeyChange::key).containsExactly("limit", "more", "other");
        assertThat(heard.get(1)).isEqualTo(new ConfigEvent.Switched(ConfigSource.CACHED, ConfigSource.LIVE));
    }

    @Test
    void open_coordinatorClosed_fails() {
        DefaultCoordinator closed = rig.client("app");
        closed.closeAsync();
        rig.loop.run();
        CompletableFuture<LiveConfig> opened = LiveConfig.builder(closed).openAsync();
        rig.loop.run();

        assertThatThrownBy(opened::join).hasCauseInstanceOf(CoordinationException.class);
    }

    @Test
    void open_settingsThatMakeNoSense_areRefused() {
        assertThatThrownBy(
                        () -> rig.builder().startTimeout(Duration.ofSeconds(-1)).openAsync())
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(
                        () -> rig.builder().maxCacheAge(Duration.ofSeconds(-1)).openAsync())
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(
                        () -> rig.builder().file(directory.resolve("none.json")).openAsync())
                .isInstanceOf(ConfigException.class);
    }
}
