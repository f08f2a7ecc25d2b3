package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.RecordKey;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** An instance that is started anew while the store has something that does not fit comes up on the last good state. */
class RestartTest extends Restarts {

    RestartTest() {
        super("restart");
    }

    /** An instance that has bound both, and was killed: nothing of it is closed. */
    private void goodOnesHaveRun() {
        rig.write("a", "1", "b", "1");
        LiveConfig first = start();
        first.bind("a", Integer.class);
        first.bind("b", Integer.class);
        rig.pass(Duration.ofSeconds(1));
    }

    @Test
    void bind_whatIsThereDoesNotFit_goesBackToTheCacheUntilThereIsSomethingThatFits() {
        goodOnesHaveRun();
        rig.write("b", "many");
        events.clear();
        LiveConfig config = start();
        long bad = config.snapshot().position().revision();
        Binding<Integer> b = config.bind("b", Integer.class);
        rig.loop.run();

        assertThat(b.get()).isEqualTo(1);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        Rejection rejection = config.status().rejection().orElseThrow();
        assertThat(rejection.key()).isEqualTo("b");
        assertThat(rejection.revision()).isEqualTo(bad);
        assertThat(config.status().healthy()).isFalse();
        assertThat(events).contains(new ConfigEvent.Rejected(rejection));

        rig.write("b", "2");

        assertThat(b.get()).isEqualTo(2);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(config.status().healthy()).isTrue();
        assertThat(events).last().isInstanceOf(ConfigEvent.Recovered.class);
    }

    @Test
    void bind_startedAnewAndKilledBeforeAllIsBound_theCacheIsNotLostToTheBadState() {
        goodOnesHaveRun();
        rig.write("a", "2", "b", "many");
        for (int i = 0; i < 2; i++) {
            LiveConfig killed = start();
            assertThat(killed.bind("a", Integer.class).get()).isEqualTo(2);
            rig.pass(Duration.ofSeconds(3));
        }
        LiveConfig config = start();
        config.bind("a", Integer.class);
        assertThat(config.bind("b", Integer.class).get()).isEqualTo(1);
    }

    @Test
    void start_over_whatIsInUseIsKeptThoughLessIsBoundThanBefore() {
        goodOnesHaveRun();
        rig.write("a", "2", "b", "many");
        LiveConfig newer = start();
        newer.bind("a", Integer.class);
        rig.pass(Duration.ofMinutes(1));
        newer.close();
        rig.loop.run();
        rig.store.suspend("app");
        LiveConfig config = start();
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(config.bind("a", Integer.class).get()).isEqualTo(2);
    }

    @Test
    void bind_oneDoesNotFit_whatIsBoundAlreadyGoesBackTogetherWithItAndIsTold() {
        goodOnesHaveRun();
        rig.write("a", "2", "b", "many", "c", "3");
        LiveConfig config = start();
        List<String> told = new ArrayList<>();
        Binding<Integer> a = config.bind("a", Integer.class);
        a.onChange((before, now, changes) -> told.add(before + " -> " + now));
        config.onPrefix("", ListenerOptions.named("x"), (changes, revision) -> told.add(changes.toString()));
        rig.loop.run();
        told.clear();

        Binding<Integer> b = config.bind("b", Integer.class);
        rig.loop.run();

        assertThat(a.get()).isEqualTo(1);
        assertThat(b.get()).isEqualTo(1);
        assertThat(config.get("c")).isEmpty();
        assertThat(told)
                .containsExactlyInAnyOrder("Optional[2] -> 1", "[a: '2' -> '1', b: 'many' -> '1', c: '3' -> (none)]");
        rig.write("b", "3");
        assertThat(a.get()).isEqualTo(2);
        assertThat(b.get()).isEqualTo(3);
    }

    @Test
    void bind_whatIsBoundAlreadyDoesNotFitTheEarlierState_thatIsNotUsed() {
        goodOnesHaveRun();
        rig.write("a", "two", "b", "many");
        LiveConfig config = start();
        Binding<String> a = config.binding("a", String.class)
                .validate(value -> value.length() == 3, "three characters")
                .bind();
        assertThatThrownBy(() -> config.bind("b", Integer.class))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("many");
        assertThat(a.get()).isEqualTo("two");
        assertThat(config.status().rejection()).isEmpty();
    }

    @Test
    void bind_nothingKeptFits_usesWhatTheServiceBrings() {
        rig.write("a", "many");
        LiveConfig config = rig.open(rig.builder().defaults(Map.of("a", "7")));
        Binding<Integer> a = config.bind("a", Integer.class);

        assertThat(a.get()).isEqualTo(7);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.BUNDLED);
        assertThat(config.status().rejection()).isPresent();
        rig.write("a", "8");
        assertThat(a.get()).isEqualTo(8);
    }

    @Test
    void bind_cacheTooOld_isNotUsed() {
        goodOnesHaveRun();
        rig.write("b", "many");
        rig.pass(Duration.ofHours(2));
        LiveConfig config =
                rig.open(remembering().maxCacheAge(Duration.ofHours(1)).defaults(Map.of("b", "9")));
        assertThat(config.bind("b", Integer.class).get()).isEqualTo(9);
    }

    @Test
    void bind_storeDownAndTheCacheDoesNotFitTheNewVersion_usesWhatTheServiceBrings() {
        goodOnesHaveRun();
        rig.store.suspend("app");
        LiveConfig config = rig.open(remembering().defaults(Map.of("b", "20")));
        Binding<Integer> b = config.binding("b", Integer.class)
                .validate(value -> value > 9, "more than 9")
                .bind();
        assertThat(b.get()).isEqualTo(20);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.BUNDLED);
        rig.store.resume();
        rig.write("b", "30");
        assertThat(b.get()).isEqualTo(30);
    }

    @Test
    void bind_theCanaryDoesNotFit_allGoesOnWithoutItAndItIsHeld() {
        rig.write("a", "1", "other", "1");
        rig.write("$canary", canary("a", "many"));
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        assertThat(config.status().canary()).contains("c1");
        Binding<Integer> a = config.bind("a", Integer.class);
        rig.pass(Duration.ofSeconds(2));

        assertThat(a.get()).isEqualTo(1);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(config.get("other")).contains("1");
        assertThat(config.status().canary()).isEmpty();
        assertThat(config.status().rejection().orElseThrow().reason()).contains("canary c1");
        assertThat(held()).contains("i1 rejected it");
        rig.write("other", "2");
        assertThat(config.get("other")).contains("2");
    }

    @Test
    void bind_whileTheRevisionIsRejected_doesNotRejectItTwice() {
        goodOnesHaveRun();
        rig.write("a", "x", "b", "y");
        LiveConfig config = start();
        config.bind("a", Integer.class);
        rig.loop.run();
        Rejection first = config.status().rejection().orElseThrow();
        config.bind("b", Integer.class);
        rig.loop.run();
        assertThat(config.status().rejection()).contains(first);
        assertThat(first.key()).isEqualTo("a");
    }

    // ---- independent ones

    @Test
    void independent_othersReject_itGoesOn() {
        rig.write("switch", "false", "a", "1");
        LiveConfig config = start();
        Binding<Integer> a = config.bind("a", Integer.class);
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        List<Boolean> told = new ArrayList<>();
        kill.onChange((before, now, changes) -> told.add(now));

        rig.write("switch", "true", "a", "x");

        assertThat(kill.get()).isTrue();
        assertThat(a.get()).isEqualTo(1);
        assertThat(told).containsExactly(false, true);
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("a");
        rig.write("switch", "false");
        assertThat(kill.get()).isFalse();
        rig.write("a", "2");
        assertThat(a.get()).isEqualTo(2);
        assertThat(kill.get()).isFalse();
        assertThat(told).containsExactly(false, true, false);
        assertThat(config.status().healthy()).isTrue();
    }

    @Test
    void independent_itsOwnValueIsBad_onlyItStays() {
        rig.write("switch", "true", "a", "1");
        LiveConfig config = start();
        Binding<Integer> a = config.bind("a", Integer.class);
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        rig.write("switch", "maybe", "a", "2");

        assertThat(a.get()).isEqualTo(2);
        assertThat(kill.get()).isTrue();
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("switch");
        assertThat(events).hasSize(1).allMatch(ConfigEvent.Rejected.class::isInstance);
        rig.write("a", "3");
        assertThat(a.get()).isEqualTo(3);
        assertThat(config.status().rejection()).isPresent();
        rig.write("switch", "false");
        assertThat(kill.get()).isFalse();
        assertThat(config.status().healthy()).isTrue();
    }

    @Test
    void independent_doesNotFitAtTheStart_goesBackAlone() {
        rig.write("switch", "true", "a", "1");
        LiveConfig first = start();
        first.bind("a", Integer.class);
        first.binding("switch", Boolean.class).independent().bind();
        rig.pass(Duration.ofSeconds(1));
        rig.write("switch", "maybe", "a", "2");
        LiveConfig config = start();
        Binding<Integer> a = config.bind("a", Integer.class);
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        rig.loop.run();

        assertThat(kill.get()).isTrue();
        assertThat(a.get()).isEqualTo(2);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("switch");
        rig.write("switch", "false");
        assertThat(kill.get()).isFalse();
    }

    // ---- what opening insists on, and overrides

    @Test
    void open_insistsOnMoreThanThereIs_fails() {
        goodOnesHaveRun();
        rig.store.suspend("app");
        assertThatThrownBy(() -> rig.open(remembering().atLeast(ConfigSource.LIVE)))
                .hasMessageContaining("would start CACHED, but must be LIVE")
                .hasMessageContaining("5000 ms");
        assertThat(rig.open(remembering().atLeast(ConfigSource.CACHED))
                        .snapshot()
                        .source())
                .isEqualTo(ConfigSource.CACHED);
        assertThatThrownBy(() -> rig.open(rig.builder().atLeast(ConfigSource.CACHED)))
                .hasMessageContaining("would start BUNDLED, but must be CACHED");
        rig.store.resume();
        assertThat(rig.open(remembering().atLeast(ConfigSource.LIVE)).snapshot().source())
                .isEqualTo(ConfigSource.LIVE);
    }

    @Test
    void override_isStrongerThanTheStore() {
        rig.write("a.json", "{\"limit\": 1, \"url\": \"http://store\"}", "b", "1");
        LiveConfig config = rig.open(rig.builder()
                .environment("SHOP_", Map.of("SHOP_A_LIMIT", "5"))
                .overrideEnvironment("OVERRIDE_", Map.of("OVERRIDE_A_LIMIT", "9", "OVERRIDE_B", "7")));
        record A(int limit, String url) {}

        assertThat(config.bind("a", A.class).get()).isEqualTo(new A(9, "http://store"));
        assertThat(config.get("b")).contains("7");
        assertThat(config.get("a.limit")).contains("9");
        Explanation why = config.explain("a.limit");
        assertThat(why.layers())
                .extracting(Explanation.Layer::name)
                .containsExactly("override", "store", "environment");
    }

    private static String canary(String key, String now) {
        var keys = new TreeMap<>(Map.of(key, new CanaryRecord.Key(null, now, 0, false)));
        var record = new CanaryRecord(
                0, "c1", "me", "", Instant.EPOCH, Duration.ZERO, new TreeMap<>(), 100, null, 0, "", keys);
        return new String(record.encode(), StandardCharsets.UTF_8);
    }

    private String held() {
        var found = ConfigSpace.of(rig.client("reader"), "config").read(new RecordKey("config", CanaryRecord.KEY));
        rig.loop.run();
        return CanaryRecord.of(found.join().orElseThrow()).held();
    }
}
