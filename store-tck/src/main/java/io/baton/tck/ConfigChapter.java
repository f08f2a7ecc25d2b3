package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Records;
import io.baton.SessionState;
import io.baton.config.Binding;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigEvent;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigStore;
import io.baton.config.FleetMember;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import io.baton.config.LiveConfigBuilder;
import io.baton.spi.Peer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Live configuration as services use it: followers end at the latest state, apply changes as a whole, and reject bad
 * values.
 */
abstract class ConfigChapter extends Chapter {

    private static final String SPACE = "config";
    private static final Duration MOMENT = Duration.ofMillis(50);

    private final List<LiveConfig> opened = new ArrayList<>();

    /** The bound type; valid if {@code least} is not above {@code most}. */
    record Limits(int least, int most) {}

    @AfterEach
    void closeConfigurations() {
        opened.forEach(LiveConfig::close);
    }

    // ---- events

    @Test
    void follower_editsAndForeignWrites_isToldStatesInOrderAndTheLast() throws Exception {
        ConfigScribe scribe = new ConfigScribe(coordinator(), SPACE);
        scribe.writeSome(3);
        TckFollower follower = follower(coordinator());

        scribe.writeSome(60);

        follower.assertFollowed(scribe.course());
        assertThat(follower.live().status().healthy()).isTrue();
        assertThat(follower.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    @Test
    void follower_contactBrokenTwice_isToldStatesInOrderAndTheLast() throws Exception {
        ConfigScribe scribe = new ConfigScribe(steadyCoordinator(), SPACE);
        Coordinator baton = coordinator();
        scribe.writeSome(2);
        TckFollower follower = follower(baton);

        for (int i = 0; i < 2; i++) {
            scribe.writeSome(3);
            store().breakContact();
            scribe.writeSome(5);
            soon().until(() -> baton.state() == SessionState.SUSPENDED);
            scribe.writeSome(3);
            store().restoreContact();
            scribe.writeSome(5);
        }

        follower.assertFollowed(scribe.course());
        assertThat(follower.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    @Test
    void follower_sessionExpired_isToldStatesInOrderAndTheLast() throws Exception {
        ConfigScribe scribe = new ConfigScribe(coordinator(), SPACE);
        Coordinator baton = coordinator();
        scribe.writeSome(2);
        TckFollower follower = follower(baton);
        List<SessionState> states = new CopyOnWriteArrayList<>();
        baton.onState(states::add);
        String session = session(baton);

        scribe.writeSome(3);
        store().expire(session);
        scribe.writeSome(10);
        soon().until(() -> states.contains(SessionState.LOST));
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        scribe.writeSome(3);

        follower.assertFollowed(scribe.course());
        assertThat(follower.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    @Test
    void gap_valuesWrittenMeanwhile_areToldOneByOneOrAsResyncedWithWhatDiffers() throws Exception {
        Coordinator steady = steadyCoordinator();
        ConfigScribe scribe = new ConfigScribe(steady, SPACE);
        scribe.change(Map.of("written", "1", "deleted", "2", "recreated", "3", "left", "4"));
        Records records = steady.records(SPACE);
        Coordinator baton = coordinator();
        TckFollower follower = follower(baton);

        store().breakContact();
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        scribe.change(Map.of("deleted", "", "recreated", "", "written", "5"));
        scribe.change(Map.of("recreated", "3", "created", "6"));
        long recreated = records.get("recreated").orElseThrow().revision().order();
        store().restoreContact();

        follower.assertFollowed(scribe.course());
        if (!follower.wasToldAll(scribe.course())) {
            soon().until(() -> differences(follower)
                    .containsAll(List.of("written: '1' -> '5'", "deleted: '2' -> (none)", "created: (none) -> '6'")));
        }
        assertThat(differences(follower)).noneMatch(each -> each.startsWith("left"));
        soon().until(() ->
                follower.live().snapshot().value("recreated").orElseThrow().revision() == recreated);
    }

    private static List<String> differences(TckFollower follower) {
        return follower.events(ConfigEvent.Resynced.class).stream()
                .flatMap(each -> each.differences().stream())
                .map(KeyChange::toString)
                .toList();
    }

    @Test
    void awaitRevision_ofOnesOwnCommit_thenSeesWhatWasWritten() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        LiveConfig live = open(LiveConfig.builder(coordinator()));

        for (int i = 0; i < 20; i++) {
            ConfigCommit commit =
                    edit(store).put("a", "a" + i).put("b", "b" + i).commit();
            assertThat(live.awaitRevision(commit.revision(), PATIENCE)).isTrue();
            assertThat(live.get("a")).contains("a" + i);
            assertThat(live.get("b")).contains("b" + i);
            assertThat(live.snapshot().change()).isEqualTo(commit.change());
        }
    }

    // ---- applied values

    @Test
    void revision_rejected_leavesAllAsItWasUntilTheNextGoodOne() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        ConfigCommit good = write(store, 1, 10, "old");
        TckFollower follower = follower(coordinator());
        LiveConfig live = follower.live();
        Binding<Limits> limits = limits(live);
        List<Limits> told = new CopyOnWriteArrayList<>();
        limits.onChange((before, now, changes) -> told.add(now));

        ConfigCommit bad = write(store, 20, 10, "new");

        soon().until(() -> live.status().rejection().isPresent());
        assertThat(live.awaitRevision(bad.revision(), MOMENT)).isFalse();
        assertThat(limits.get()).isEqualTo(new Limits(1, 10));
        assertThat(live.get("other")).contains("old");
        assertThat(live.snapshot().change()).isEqualTo(good.change());
        assertThat(live.status().rejection().orElseThrow().revision()).isGreaterThanOrEqualTo(bad.revision());
        assertThat(live.status().rejection().orElseThrow().reason()).contains("upside down");
        assertThat(live.status().behind()).isEqualTo(1);
        assertThat(live.status().healthy()).isFalse();

        ConfigCommit next = write(store, 2, 20, "newest");
        assertThat(live.awaitRevision(next.revision(), PATIENCE)).isTrue();
        assertThat(limits.get()).isEqualTo(new Limits(2, 20));
        assertThat(live.get("other")).contains("newest");
        assertThat(live.status().rejection()).isEmpty();
        soon().until(() -> told.equals(List.of(new Limits(1, 10), new Limits(2, 20))));
        soon().until(() -> follower.events(ConfigEvent.Recovered.class).size() == 1);
        assertThat(follower.events(ConfigEvent.Rejected.class)).hasSize(1);
    }

    @Test
    void revision_vetoedBySecondBinding_isNotInUseInTheFirst() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        write(store, 1, 10, "old");
        LiveConfig live = open(LiveConfig.builder(coordinator()));
        Binding<String> other = live.bind("other", String.class);
        AtomicBoolean vetoed = new AtomicBoolean();
        Binding<Limits> limits = live.binding("limits", Limits.class)
                .prepare(each -> {
                    if (each.least() == 3) {
                        vetoed.set(true);
                        throw new IllegalStateException("three is not liked");
                    }
                })
                .bind();

        ConfigCommit bad = write(store, 3, 10, "new");

        soon().until(() -> live.status().rejection().isPresent());
        assertThat(vetoed).isTrue();
        assertThat(other.get()).isEqualTo("old");
        assertThat(limits.get()).isEqualTo(new Limits(1, 10));
        assertThat(live.status().rejection().orElseThrow().reason()).contains("three is not liked");
        ConfigCommit next = write(store, 4, 10, "new");
        assertThat(next.revision()).isGreaterThan(bad.revision());
        assertThat(live.awaitRevision(next.revision(), PATIENCE)).isTrue();
        assertThat(other.get()).isEqualTo("new");
    }

    @Test
    void bindings_readAllTheTime_areOfOneRevision() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        edit(store).put("first", "0").put("second", "0").commit();
        LiveConfig live = open(LiveConfig.builder(coordinator()));
        Binding<Integer> first = live.bind("first", Integer.class);
        Binding<Integer> second = live.bind("second", Integer.class);
        List<String> faults = new CopyOnWriteArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        Thread reader = new Thread(() -> {
            while (!over.get() && faults.isEmpty()) {
                int before = first.get();
                int between = second.get();
                int after = first.get();
                if (between < before || between > after) {
                    faults.add(before + ", " + between + ", " + after);
                }
            }
        });
        reader.start();
        try {
            ConfigCommit last = new ConfigCommit(0, 0);
            for (int i = 1; i <= 30; i++) {
                String text = String.valueOf(i);
                last = edit(store).put("first", text).put("second", text).commit();
            }
            assertThat(live.awaitRevision(last.revision(), PATIENCE)).isTrue();
        } finally {
            over.set(true);
            reader.join();
        }
        assertThat(faults).isEmpty();
        assertThat(first.get()).isEqualTo(30);
    }

    @Test
    void listener_told_findsTheNewValueInUseEverywhere() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        write(store, 1, 10, "1");
        LiveConfig live = open(LiveConfig.builder(coordinator()));
        Binding<Limits> limits = limits(live);
        List<String> faults = new CopyOnWriteArrayList<>();
        List<String> told = new CopyOnWriteArrayList<>();
        limits.onChange((before, now, changes) -> {
            if (limits.get().least() < now.least()
                    || Integer.parseInt(live.get("other").orElseThrow()) < now.least()) {
                faults.add(now + " is told, and in use are " + limits.get() + " and " + live.get("other"));
            }
        });
        live.onKey("other", ListenerOptions.named("other"), (changes, revision) -> {
            changes.forEach(change -> told.add(change.now().orElse("")));
            if (live.snapshot().position().revision() < revision) {
                faults.add(revision + " is told, and in use is " + live.snapshot());
            }
        });

        for (int i = 2; i <= 20; i++) {
            write(store, i, 100, String.valueOf(i));
        }

        soon().until(() -> told.contains("20"));
        assertThat(told.stream().map(Integer::valueOf).toList()).isSorted().startsWith(1);
        assertThat(faults).isEmpty();
    }

    // ---- without the store

    @Test
    void open_withoutContact_isBundledAndThenLive() throws Exception {
        ConfigStore store = ConfigStore.of(steadyCoordinator());
        ConfigCommit commit = edit(store).put("a", "stored").commit();
        store().breakContact();

        TckFollower follower = new TckFollower(open(LiveConfig.builder(coordinatorInBackground())
                .defaults(Map.of("a", "bundled"))
                .startTimeout(MOMENT)));
        LiveConfig live = follower.live();
        Binding<String> a = live.bind("a", String.class);

        assertThat(live.status().source()).isEqualTo(ConfigSource.BUNDLED);
        assertThat(a.get()).isEqualTo("bundled");
        store().restoreContact();
        assertThat(live.awaitRevision(commit.revision(), PATIENCE)).isTrue();
        assertThat(live.status().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(a.get()).isEqualTo("stored");
        var switched = new ConfigEvent.Switched(ConfigSource.BUNDLED, ConfigSource.LIVE);
        soon().until(() -> follower.events(ConfigEvent.Switched.class).equals(List.of(switched)));
    }

    @Test
    void open_withoutContactAfterOneWith_isCachedAndThenLive(@TempDir Path directory) throws Exception {
        Path cache = directory.resolve("cache");
        ConfigStore store = ConfigStore.of(steadyCoordinator());
        long revision = edit(store).put("a", "kept").commit().revision();
        Coordinator earlier = coordinator();
        LiveConfig before = open(LiveConfig.builder(earlier).cache(cache));
        assertThat(before.awaitRevision(revision, PATIENCE)).isTrue();
        before.close();
        earlier.close();
        store().breakContact();
        ConfigCommit commit = edit(store).put("a", "newer").commit();

        LiveConfig live = open(LiveConfig.builder(coordinatorInBackground())
                .cache(cache)
                .defaults(Map.of("a", "bundled"))
                .startTimeout(MOMENT));

        assertThat(live.status().source()).isEqualTo(ConfigSource.CACHED);
        assertThat(live.get("a")).contains("kept");
        store().restoreContact();
        assertThat(live.awaitRevision(commit.revision(), PATIENCE)).isTrue();
        assertThat(live.status().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(live.get("a")).contains("newer");
    }

    // ---- canaries and the fleet

    // ---- restarts

    @Test
    void bind_atAStartWithoutACacheWhileTheNewestIsBad_findsTheNewestOfTheHistoryThatFits() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        write(store, 1, 5, "one");
        ConfigCommit good = write(store, 2, 6, "two");
        for (int i = 0; i < 40; i++) {
            write(store, 9, 6, "bad " + i);
        }
        LiveConfig live = open(instance("restarted").startTimeout(PATIENCE));
        assertThat(live.snapshot().source()).isEqualTo(ConfigSource.LIVE);

        Binding<Limits> limits = limits(live);

        assertThat(limits.get()).isEqualTo(new Limits(2, 6));
        assertThat(live.get("other")).contains("two");
        assertThat(live.snapshot().change()).isEqualTo(good.change());
        assertThat(live.status().rejection().orElseThrow().change()).isEqualTo(good.change() + 40);
        soon().until(() ->
                member(store, "restarted").map(FleetMember::rejected).orElse("").contains("upside down"));

        ConfigCommit better = write(store, 3, 7, "three");

        assertThat(live.awaitRevision(better.revision(), PATIENCE)).isTrue();
        assertThat(limits.get()).isEqualTo(new Limits(3, 7));
        soon().until(() -> member(store, "restarted")
                .map(FleetMember::rejected)
                .orElse("-")
                .isEmpty());
    }

    @Test
    void bind_atAStartWhileTheNewestWasWrittenPastTheHistory_findsWhatTheHistoryHas() throws Exception {
        Coordinator writer = coordinator();
        ConfigStore store = ConfigStore.of(writer);
        write(store, 2, 6, "one");
        edit(store).put("other", "two").commit();
        writer.records(SPACE).put("limits.least", "many".getBytes(StandardCharsets.UTF_8));

        LiveConfig live = open(LiveConfig.builder(coordinator()).startTimeout(PATIENCE));
        Binding<Limits> limits = limits(live);

        assertThat(limits.get()).isEqualTo(new Limits(2, 6));
        assertThat(live.get("other")).contains("two");
    }

    @Test
    void canary_promoted_isInUseWhereChosenAndThenEverywhere() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        edit(store).put("a", "old").put("b", "old").commit();
        LiveConfig chosen = open(instance("one").label("zone", "near"));
        LiveConfig other = open(instance("two").label("zone", "far"));

        soon().until(() -> store.fleet().size() == 2);
        Canary canary = edit(store).put("a", "new").delete("b").canary(Map.of("zone", "near"), 100);

        soon().until(() -> chosen.get("a").equals(Optional.of("new")));
        assertThat(chosen.get("b")).isEmpty();
        assertThat(chosen.status().canary()).contains(canary.id());
        ConfigCommit beside = edit(store).put("c", "beside").commit();
        assertThat(other.awaitRevision(beside.revision(), PATIENCE)).isTrue();
        assertThat(other.get("a")).contains("old");
        assertThat(other.status().canary()).isEmpty();
        assertThat(chosen.awaitRevision(beside.revision(), PATIENCE)).isTrue();
        assertThat(chosen.get("a")).contains("new");

        ConfigCommit all = store.promote(canary.id());
        for (LiveConfig each : List.of(chosen, other)) {
            assertThat(each.awaitRevision(all.revision(), PATIENCE)).isTrue();
            assertThat(each.get("a")).contains("new");
            assertThat(each.get("b")).isEmpty();
            assertThat(each.status().canary()).isEmpty();
        }
        assertThat(store.canary()).isEmpty();
    }

    @Test
    void canary_rejectedByOne_isHeldAndCanOnlyBeAborted() throws Exception {
        ConfigStore store = ConfigStore.of(coordinator());
        write(store, 1, 10, "old");
        LiveConfig refusing = open(instance("one"));
        LiveConfig agreeing = open(instance("two"));
        Binding<Limits> limits = limits(refusing);

        soon().until(() -> store.fleet().size() == 2);
        Canary canary =
                edit(store).put("limits.least", "20").put("other", "new").canary(Map.of(), 100);

        soon().until(() -> !store.canary().orElseThrow().held().isEmpty());
        assertThat(store.canary().orElseThrow().held()).contains("one");
        assertThat(limits.get()).isEqualTo(new Limits(1, 10));
        assertThat(refusing.get("other")).contains("old");
        assertThatThrownBy(() -> store.promote(canary.id())).isInstanceOf(ConfigConflictException.class);

        store.abort(canary.id());
        soon().until(() -> refusing.status().healthy() && agreeing.status().healthy());
        soon().until(() -> agreeing.get("other").equals(Optional.of("old")));
        assertThat(agreeing.status().canary()).isEmpty();
        assertThat(store.canary()).isEmpty();
    }

    @Test
    void fleet_instancesComeAndGo_showsWhoIsThereAndHowFar() throws Exception {
        Coordinator steady = steadyCoordinator();
        ConfigStore store = ConfigStore.of(steady);
        write(store, 1, 10, "old");
        Coordinator baton = coordinator();
        limits(open(LiveConfig.builder(baton).instance("one").label("zone", "near")));
        LiveConfig two = open(LiveConfig.builder(steady).instance("two"));
        ConfigCommit bad = write(store, 20, 10, "new");

        soon().until(() -> member(store, "two").map(FleetMember::change).equals(Optional.of(bad.change())));
        soon().until(() ->
                member(store, "one").filter(each -> !each.rejected().isEmpty()).isPresent());
        FleetMember one = member(store, "one").orElseThrow();
        assertThat(one.change()).isEqualTo(bad.change() - 1);
        assertThat(one.rejected()).contains("upside down");
        assertThat(one.labels()).isEqualTo(Map.of("zone", "near"));
        assertThat(one.source()).isEqualTo(ConfigSource.LIVE);
        assertThat(store.fleet()).hasSize(2);

        String session = session(baton);
        store().breakContact();
        store().expire(session);
        soon().until(() -> store.fleet().stream().map(FleetMember::id).toList().equals(List.of("two")));
        store().restoreContact();
        soon().until(() -> member(store, "one").isPresent());
        two.close();
        soon().until(() -> store.fleet().stream().map(FleetMember::id).toList().equals(List.of("one")));
    }

    private static Optional<FleetMember> member(ConfigStore store, String id) throws InterruptedException {
        return store.fleet().stream().filter(each -> each.id().equals(id)).findAny();
    }

    // ---- setting

    private static ConfigCommit write(ConfigStore store, int least, int most, String other)
            throws InterruptedException {
        return edit(store)
                .put("limits.least", String.valueOf(least))
                .put("limits.most", String.valueOf(most))
                .put("other", other)
                .commit();
    }

    private static Binding<Limits> limits(LiveConfig live) {
        return live.binding("limits", Limits.class)
                .validate(each -> each.least() <= each.most(), "limits must not be upside down")
                .bind();
    }

    private LiveConfigBuilder instance(String id) throws InterruptedException {
        return LiveConfig.builder(coordinator()).instance(id);
    }

    private TckFollower follower(Coordinator baton) throws InterruptedException {
        return new TckFollower(open(LiveConfig.builder(baton).startTimeout(PATIENCE)));
    }

    private LiveConfig open(LiveConfigBuilder builder) throws InterruptedException {
        LiveConfig live = builder.open();
        opened.add(live);
        return live;
    }

    /** The session id of this coordinator, from a place that it takes for a moment. */
    private String session(Coordinator baton) throws InterruptedException {
        try (var hold = baton.lock("tck").acquire()) {
            TckClient looking = client();
            Peer holder = looking.peers(LINE).get(0);
            assertThat(hold.remaining()).isPositive();
            return looking.details(holder).orElseThrow().session();
        }
    }
}
