package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinatorOptions;
import io.baton.RecordKey;
import io.baton.config.internal.active.Cached;
import io.baton.config.internal.cache.CacheFile;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.SpaceHead;
import io.baton.internal.client.DefaultCoordinator;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What has gone wrong at restarts, with canaries, kill switches and caches, and is not to go wrong again. */
@Timeout(60)
class RestartTroubleTest extends Restarts {

    RestartTroubleTest() {
        super("restart-trouble");
    }

    private void ran(String independent, String... common) {
        LiveConfig first = start();
        for (String each : common) {
            first.bind(each, Integer.class);
        }
        if (!independent.isEmpty()) {
            first.binding(independent, Boolean.class).independent().bind();
        }
        rig.pass(Duration.ofSeconds(1));
        first.close();
        rig.pass(Duration.ofSeconds(1));
        events.clear();
    }

    @Test
    void bindGoesBackWhileTheApplierPolls_stateOfTwoRevisions() {
        rig.write("a", "1", "b", "1", "c", "1");
        ran("", "a", "b", "c");
        rig.write("a", "2", "b", "many");
        LiveConfig config = start();
        Binding<Integer> a = config.bind("a", Integer.class);
        AtomicReference<Binding<Integer>> b = new AtomicReference<>();
        AtomicBoolean once = new AtomicBoolean();
        config.binding("c", Integer.class)
                .prepare(value -> {
                    if (value == 2 && once.compareAndSet(false, true)) {
                        b.set(config.bind("b", Integer.class)); // stands for another thread
                    }
                })
                .bind();
        assertThat(a.get()).isEqualTo(2);
        rig.write("b", "5", "c", "2");

        assertThat(config.status().healthy()).isTrue();
        assertThat(b.get().get()).isEqualTo(5);
        assertThat(config.get("a")).contains("2");
        assertThat(a.get()).isEqualTo(2);
    }

    @Test
    void shortLivedProcess_whatAllAgreedToIsKept() {
        rig.write("a", "1", "b", "1");
        ran("", "a", "b");
        rig.write("a", "2");
        ran("", "a", "b");
        ran("", "a", "b");
        rig.store.suspend("app");
        LiveConfig config = start();
        assertThat(config.get("a")).contains("2");
    }

    @Test
    void startedFromTheCache_lookedAtAgainBeforeTheStoreAnswers_isNotLive() {
        rig.write("a", "1", "b", "1");
        ran("", "a", "b");
        rig.store.suspend("app");
        LiveConfig config = start();
        config.bind("a", Integer.class).close();
        config.rejectCanary("none", "nothing");
        rig.loop.run();

        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
    }

    @Test
    void wentBackToWhatTheServiceBrings_theCacheIsNotReplacedByNothing() {
        rig.write("a", "1", "b", "1");
        ran("", "a", "b");
        rig.store.suspend("app");
        LiveConfig newer = rig.open(remembering().defaults(Map.of("a", "5", "b", "20")));
        newer.bind("a", Integer.class);
        newer.binding("b", Integer.class)
                .validate(value -> value > 9, "more than 9")
                .bind();
        rig.pass(Duration.ofSeconds(1));
        newer.close();
        rig.pass(Duration.ofSeconds(1));
        LiveConfig again = start();
        assertThat(again.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(again.get("a")).contains("1");
    }

    @Test
    void killSwitch_anotherBindingGoesBack_itStaysAtItsGoodNewestValue() {
        rig.write("switch", "false", "b", "1");
        ran("switch", "b");
        rig.write("switch", "true", "b", "many");
        LiveConfig config = start();
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        List<Boolean> told = new ArrayList<>();
        kill.onChange((before, now, changes) -> told.add(now));
        rig.loop.run();
        assertThat(kill.get()).isTrue();
        config.bind("b", Integer.class);
        boolean rightAfter = kill.get();
        rig.loop.run();

        assertThat(told).containsExactly(true);
        assertThat(rightAfter).isTrue();
    }

    @Test
    void killSwitch_boundAfterAllWentBack_hasTheNewestValue() {
        rig.write("switch", "false", "b", "1");
        ran("switch", "b");
        rig.write("switch", "true", "b", "many");
        LiveConfig config = start();
        config.bind("b", Integer.class);
        rig.loop.run();
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        rig.pass(Duration.ofMinutes(10));
        assertThat(kill.get()).isTrue();
    }

    @Test
    void killSwitch_newInTheStore_boundAfterAllWentBackToTheCache() {
        rig.write("b", "1");
        ran("", "b");
        rig.write("switch", "true", "b", "many");
        LiveConfig config = start();
        config.bind("b", Integer.class);
        rig.loop.run();
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        assertThat(kill.get()).isTrue();
    }

    @Test
    void applicationRejectsTheCanaryWhileTheBaseIsBad_isHeldAndGoesBack() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        Binding<Integer> a = config.bind("a", Integer.class);
        config.bind("b", Integer.class);
        rig.write("$canary", canary("c1", "a", "2", Duration.ZERO));
        assertThat(a.get()).isEqualTo(2);
        rig.write("b", "x");
        config.rejectCanary("c1", "too many errors");
        rig.pass(Duration.ofSeconds(5));
        assertThat(held()).contains("too many errors");
        assertThat(a.get()).isEqualTo(1);
    }

    @Test
    void canaryAbortedWhileTheBaseIsBad_goesBack() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        Binding<Integer> a = config.bind("a", Integer.class);
        config.bind("b", Integer.class);
        rig.write("$canary", canary("c1", "a", "2", Duration.ZERO));
        rig.write("b", "x");
        rig.write("$canary", null);
        rig.pass(Duration.ofMinutes(5));
        assertThat(a.get()).isEqualTo(1);
        assertThat(config.status().canary()).isEmpty();
    }

    @Test
    void canaryAbortedWhileTheBaseIsBad_killSwitchUsedMeanwhileStaysAndNothingRecovers() {
        rig.write("a", "1", "b", "1", "switch", "true");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        config.onEvent(events::add);
        Binding<Integer> a = config.bind("a", Integer.class);
        config.bind("b", Integer.class);
        Binding<Boolean> switched = config.bind("switch", Boolean.class);
        List<Boolean> told = new ArrayList<>();
        rig.write("$canary", canary("c1", "a", "2", Duration.ZERO));
        rig.write("switch", "false");
        rig.write("b", "x");
        switched.onChange((before, now, changes) -> told.add(now));
        rig.loop.run();

        rig.write("$canary", null);

        assertThat(a.get()).isEqualTo(1);
        assertThat(switched.get()).isFalse();
        assertThat(told).containsExactly(false);
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("b");
        assertThat(events).noneMatch(ConfigEvent.Recovered.class::isInstance);
    }

    @Test
    void markedSecretWhileRejected_isNotShown() {
        rig.write("pin", "1234", "b", "1");
        LiveConfig config = start();
        config.bind("b", Integer.class);
        rig.write("b", "x");
        SpaceHead marked = SpaceHead.NONE.secrets(new java.util.TreeSet<>(List.of("pin")));

        rig.write("$baton", new String(marked.encode(), StandardCharsets.UTF_8));

        assertThat(config.status().healthy()).isFalse();
        assertThat(config.snapshot().value("pin").orElseThrow().secret()).isTrue();
        assertThat(config.explain("pin").toString()).doesNotContain("1234");
    }

    @Test
    void markedSecretWithABadValue_killedAndStartedWithoutTheStore_isNotShown() {
        rig.write("pin", "1234", "b", "1");
        LiveConfig killed = start();
        killed.bind("b", Integer.class);
        rig.pass(Duration.ofSeconds(1));
        SpaceHead marked = SpaceHead.NONE.secrets(new java.util.TreeSet<>(List.of("pin")));
        rig.write("$baton", new String(marked.encode(), StandardCharsets.UTF_8), "b", "x");
        assertThat(killed.status().healthy()).isFalse();
        rig.pass(Duration.ofSeconds(1));
        rig.store.suspend("app");

        LiveConfig config = start();

        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(config.get("b")).contains("1");
        assertThat(config.snapshot().value("pin").orElseThrow().secret()).isTrue();
        assertThat(config.explain("pin").toString()).doesNotContain("1234");
    }

    @Test
    void canaryExpiresWhileTheBaseIsBad_goesBack() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        Binding<Integer> a = config.bind("a", Integer.class);
        config.bind("b", Integer.class);
        rig.write("$canary", canary("c1", "a", "2", Duration.ofMinutes(1)));
        assertThat(a.get()).isEqualTo(2);
        rig.write("b", "x");
        rig.pass(Duration.ofMinutes(5));
        assertThat(a.get()).isEqualTo(1);
    }

    @Test
    void canaryThatLastsForThreeCenturies_stopsNoInstance() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        rig.write("$canary", canary("c1", "a", "2", Duration.ofDays(365_000)));
        rig.write("b", "2");
        assertThat(config.get("b")).contains("2");
        assertThat(config.get("a")).contains("2");
    }

    @Test
    void canaryRefusedAndThenABadBaseMended_theRejectionIsTheCanarys() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        config.onEvent(events::add);
        config.bind("a", Integer.class);
        config.bind("b", Integer.class);
        rig.write("$canary", canary("c1", "a", "many", Duration.ZERO));
        assertThat(config.status().rejection().orElseThrow().reason()).contains("canary c1");
        rig.write("b", "x");
        assertThat(config.status().rejection().orElseThrow().key()).isEqualTo("b");
        rig.write("b", "3");
        assertThat(config.get("b")).contains("3");
        assertThat(config.status().rejection().orElseThrow().reason()).contains("canary c1");
    }

    @Test
    void killSwitchUnderACanary_whileTheBaseIsRejected_staysUnderIt() {
        rig.write("switch", "false", "b", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1"));
        config.bind("b", Integer.class);
        Binding<Boolean> kill =
                config.binding("switch", Boolean.class).independent().bind();
        rig.write("$canary", canary("c1", "switch", "true", Duration.ZERO));
        assertThat(kill.get()).isTrue();
        rig.write("b", "x");
        assertThat(config.status().canary()).contains("c1");
        assertThat(kill.get()).isTrue();
    }

    @Test
    void makeDoComesLate_afterABindThatWentBack_theConfigurationGoesOn() {
        rig.write("b", "1");
        ran("", "b");
        rig.write("b", "many");
        // A pool of threads, one of which is slow to begin what it was given.
        Deque<Runnable> delayed = new ArrayDeque<>();
        AtomicBoolean delay = new AtomicBoolean();
        DefaultCoordinator app = DefaultCoordinator.start(
                rig.store,
                rig.loop,
                task -> {
                    if (delay.compareAndSet(true, false)) {
                        delayed.add(task);
                    } else {
                        rig.loop.execute(task);
                    }
                },
                CoordinatorOptions.builder()
                        .client("app")
                        .ttl(Rig.TTL)
                        .inBackground(true)
                        .build());
        rig.store.suspend("app");
        CompletableFuture<LiveConfig> opened = LiveConfig.builder(app)
                .cache(directory.resolve("cache"))
                .atLeast(ConfigSource.LIVE)
                .openAsync();
        rig.loop.run();
        delay.set(true);
        rig.pass(Duration.ofSeconds(5).plusMillis(1));
        assertThat(delayed).hasSize(1);
        rig.store.resume();
        rig.pass(Duration.ofSeconds(1));
        LiveConfig config = opened.join();
        Binding<Integer> b = config.bind("b", Integer.class);
        assertThat(b.get()).isEqualTo(1);
        delayed.poll().run();
        rig.loop.run();
        rig.write("b", "2");
        assertThat(b.get()).isEqualTo(2);
    }

    @Test
    void bindGoesBackWhileTheApplierPolls_listenersAreToldAChainOfValues() {
        rig.write("a", "1", "b", "1", "c", "1");
        ran("", "a", "b", "c");
        rig.write("a", "2", "b", "many");
        LiveConfig config = start();
        Binding<Integer> a = config.bind("a", Integer.class);
        AtomicBoolean once = new AtomicBoolean();
        config.binding("c", Integer.class)
                .prepare(value -> {
                    if (value == 2 && once.compareAndSet(false, true)) {
                        config.bind("b", Integer.class);
                    }
                })
                .bind();
        List<String> told = new ArrayList<>();
        a.onChange(
                (before, now, changes) -> told.add(before.map(String::valueOf).orElse("-") + ">" + now + changes));
        rig.loop.run();
        rig.write("a", "3", "b", "5", "c", "2");
        assertThat(told).containsExactly("->2[]", "2>1[a: '2' -> '1']", "1>3[a: '1' -> '3']");
    }

    @Test
    void wentBackToTheCache_whatTheStoreHasMarkedSecretSinceIsSecret() {
        rig.write("password", "hunter2", "b", "1");
        ran("", "b");
        rig.write(
                "$baton",
                new String(
                        SpaceHead.NONE
                                .secrets(new java.util.TreeSet<>(List.of("password")))
                                .encode(),
                        StandardCharsets.UTF_8),
                "b",
                "many");
        LiveConfig config = start();
        assertThat(config.snapshot().value("password").orElseThrow().secret()).isTrue();
        config.bind("b", Integer.class);
        assertThat(config.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(config.explain("password").toString()).doesNotContain("hunter2");
        assertThat(config.snapshot().value("password").orElseThrow().secret()).isTrue();
    }

    @Test
    void applierIsQuickerThanTheThreadThatWentBack_theCacheHasWhatIsInUse() {
        rig.write("a", "1", "b", "1");
        ran("", "a", "b");
        rig.write("a", "2", "b", "many");
        AtomicReference<Runnable> between = new AtomicReference<>(() -> {});
        DefaultCoordinator app = DefaultCoordinator.start(
                rig.store,
                rig.loop,
                task -> {
                    between.getAndSet(() -> {}).run();
                    rig.loop.execute(task);
                },
                CoordinatorOptions.builder().client("app").ttl(Rig.TTL).build());
        LiveConfig config = rig.open(LiveConfig.builder(app).cache(directory.resolve("cache")));
        Binding<Integer> a = config.bind("a", Integer.class);
        a.onChange((before, now, changes) -> {});
        rig.loop.run();
        between.set(() -> rig.write("a", "3", "b", "5"));
        config.bind("b", Integer.class);
        rig.pass(Duration.ofSeconds(20));
        config.close();
        rig.pass(Duration.ofSeconds(1));
        rig.store.suspend("app");
        assertThat(start().get("a")).contains("3");
    }

    @Test
    void objections_anotherProcessOfTheInstanceWithOtherLabels_isNoRestart() {
        Canary canary = new Canary(
                "c1",
                "me",
                Instant.EPOCH,
                Duration.ofMinutes(5),
                Map.of("role", "api"),
                100,
                Map.of("p1", "host-1"),
                1,
                "",
                List.of());
        FleetMember api = new FleetMember(
                "host-1", "p1", "h", Map.of("role", "api"), ConfigSource.LIVE, 7, 70, "c1", 1, true, "");
        FleetMember worker = new FleetMember(
                "host-1", "p2", "h", Map.of("role", "worker"), ConfigSource.LIVE, 7, 70, "", 1, true, "");
        assertThat(canary.objections(List.of(api, worker))).isEmpty();
    }

    @Test
    void overrideFileWithNothingInIt_isNotToldAsAnOverride() throws java.io.IOException {
        Path file = directory.resolve("o.json");
        java.nio.file.Files.writeString(file, "{}");
        assertThat(io.baton.config.values.Bundled.builder()
                        .overrideFile(file)
                        .build()
                        .overridden())
                .isEmpty();
    }

    @Test
    void killSwitchThatIsBehind_unrelatedChanges_areNotRejectedAgainAndAgain() {
        rig.write("switch", "true", "a", "1");
        LiveConfig config = start();
        AtomicInteger asked = new AtomicInteger();
        config.binding("switch", Boolean.class).independent().bind();
        rig.write("switch", "maybe");
        for (int i = 0; i < 20; i++) {
            rig.write("a", Integer.toString(i + 2));
        }
        assertThat(events).filteredOn(ConfigEvent.Rejected.class::isInstance).hasSize(1);
    }

    @Test
    void cacheOfAnOlderVersion_isNotLostToTheBadState() throws java.io.IOException {
        rig.write("a", "1", "b", "1");
        ran("", "a", "b");
        Path file = directory.resolve("cache");
        CacheFile cache = new CacheFile(file);
        Cached now = cache.read("config", "").orElseThrow();
        // An older version has not written who agreed.
        cache.write(new Cached(
                now.space(),
                now.prefix(),
                now.at(),
                now.change(),
                now.canary(),
                now.written(),
                java.util.Optional.empty(),
                now.values()));
        rig.write("a", "2", "b", "many");
        LiveConfig killed = start();
        rig.pass(Duration.ofSeconds(3));
        LiveConfig config = start();
        assertThat(config.bind("b", Integer.class).get()).isEqualTo(1);
    }

    @Test
    void storeDown_somethingMoreIsBound_theCacheDoesNotGrowYounger() {
        rig.write("a", "1", "b", "1");
        ran("", "a", "b");
        rig.store.suspend("app");
        rig.pass(Duration.ofMinutes(50));
        LiveConfig one = rig.open(remembering().maxCacheAge(Duration.ofHours(1)).defaults(Map.of("c", "1")));
        assertThat(one.snapshot().source()).isEqualTo(ConfigSource.CACHED);
        one.bind("a", Integer.class);
        one.bind("b", Integer.class);
        one.bind("c", Integer.class);
        rig.pass(Duration.ofSeconds(1));
        one.close();
        rig.pass(Duration.ofMinutes(50));
        LiveConfig two = rig.open(remembering().maxCacheAge(Duration.ofHours(1)));
        assertThat(two.snapshot().source()).isEqualTo(ConfigSource.BUNDLED);
    }

    private static CanaryRecord record(String id, String key, String now, Duration lasts) {
        var keys = new TreeMap<>(Map.of(key, new CanaryRecord.Key(null, now, 0, false)));
        return new CanaryRecord(0, id, "me", "", Instant.EPOCH, lasts, new TreeMap<>(), 100, null, 0, "", keys);
    }

    private static String canary(String id, String key, String now, Duration lasts) {
        return new String(record(id, key, now, lasts).encode(), StandardCharsets.UTF_8);
    }

    private String held() {
        var found = ConfigSpace.of(rig.client("reader"), "config").read(new RecordKey("config", CanaryRecord.KEY));
        rig.loop.run();
        return CanaryRecord.of(found.join().orElseThrow()).held();
    }
}
