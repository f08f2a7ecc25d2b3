package io.baton.config.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.Binding;
import io.baton.config.BindingBuilder;
import io.baton.config.Bounds;
import io.baton.config.ConfigSource;
import io.baton.config.KeyChange;
import io.baton.config.ListenerOptions;
import io.baton.config.Rejection;
import io.baton.config.Rig;
import io.baton.config.UnknownFields;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.Bindings;
import io.baton.config.internal.active.BoundBuilder;
import io.baton.config.internal.active.CandidateState;
import io.baton.config.internal.active.Current;
import io.baton.config.internal.active.ListenerDispatcher;
import io.baton.config.internal.active.Outcomes;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.follow.StoreUpdate;
import io.baton.config.internal.follow.StoreUpdate.Gap;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Differences;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.rollout.CanaryChoice;
import io.baton.config.internal.rollout.CanaryClock;
import io.baton.config.internal.rollout.CanaryHold;
import io.baton.config.internal.rollout.FleetEntry;
import io.baton.config.values.Bundled;
import io.baton.config.values.Converters;
import io.baton.config.values.Layers;
import io.baton.config.values.SecretPaths;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What comes into use of what the store tells, one piece of news after the other. */
class ApplierTest {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Rig rig = new Rig("applier");
    private final ConfigSpace space = ConfigSpace.of(rig.client("app"), "config");
    private final SecretPaths secrets = SecretPaths.of("pin", "*code");
    private final Bundled bundled = Bundled.builder().build();
    private final StoreState.Scope scope = new StoreState.Scope("", secrets::contains);
    private final Current inUse =
            new Current(ActiveConfig.of(CandidateState.bundled(), bundled.with(FrozenMap.empty())));
    private final CanaryChoice canaries = new CanaryChoice(
            Optional.of(FleetEntry.open(space, "i1", Map.of())),
            scope,
            new CanaryHold(space),
            new CanaryClock(space.loop(), id -> {}));
    private final Heard heard = new Heard();
    private final List<String> free = new ArrayList<>();
    private final Applier applier = new Applier(
            inUse,
            StoreState.of(CandidateState.NOWHERE, FrozenMap.empty(), SpaceHead.NONE),
            new Applier.Parts(space.loop(), bundled, secrets, scope, canaries, heard),
            () -> free.add("free"));
    private final Bindings bindings = new Bindings(
            inUse,
            bundled,
            secrets,
            new ListenerDispatcher.Means(space.loop(), space.callbacks(), event -> {}),
            new Owner());
    private final List<String> told = new ArrayList<>();
    private final List<CandidateState> earlier = new ArrayList<>();

    private record Written(long order) implements Revision {}

    /** What has become of each. */
    private static final class Heard implements Outcomes {

        private final List<ActiveConfig> applied = new ArrayList<>();
        private final List<Rejection> rejected = new ArrayList<>();
        private final List<StoreState> considered = new ArrayList<>();
        private final List<StoreUpdate.Whole> gaps = new ArrayList<>();
        private final List<KeyChange> missed = new ArrayList<>();
        private final List<String> slow = new ArrayList<>();
        private @Nullable RuntimeException breaks;

        @Override
        public void applied(ActiveConfig was, ActiveConfig now) {
            applied.add(now);
        }

        @Override
        public void rejected(ActiveConfig now, Rejection why) {
            rejected.add(why);
        }

        @Override
        public void updateProcessed(StoreState known) {
            considered.add(known);
            if (breaks != null) {
                throw breaks;
            }
        }

        @Override
        public void gap(StoreUpdate.Whole news, Position at, Differences differences) {
            assertThat(at).isEqualTo(news.at());
            gaps.add(news);
            missed.addAll(differences.shown());
        }

        @Override
        public void slow(String who, Duration runningFor) {
            slow.add(who + " " + runningFor.toSeconds());
        }
    }

    private final class Owner implements Bindings.Owner {

        @Override
        public Iterator<CandidateState> earlierStates(ActiveConfig refused, boolean independent) {
            return earlier.iterator();
        }

        @Override
        public boolean runExclusively(String who, Runnable action) {
            return applier.runExclusively(who, action, PATIENCE);
        }

        @Override
        public void bound(ActiveConfig now) {}

        @Override
        public void wentBack(ActiveConfig was, ActiveConfig now) {}

        @Override
        public void unbound() {}
    }

    private static Item item(String name, byte[] value, long revision) {
        return new Item(new RecordKey("config", name), value, new Written(revision));
    }

    private static Item item(String name, String text, long revision) {
        return item(name, text.getBytes(StandardCharsets.UTF_8), revision);
    }

    private static Position at(long revision) {
        return new Position("h", revision);
    }

    private static StoreUpdate whole(Gap gap, long revision, Item... items) {
        Map<String, Item> all = new HashMap<>();
        for (Item each : items) {
            all.put(each.key().name(), each);
        }
        return new StoreUpdate.Whole(gap, at(revision - 1), at(revision), all);
    }

    /** Key and text by turns, of this revision; no text: it is gone. */
    private static StoreUpdate part(long revision, @Nullable String... keysAndTexts) {
        Map<String, Optional<Item>> changes = new HashMap<>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            String key = String.valueOf(keysAndTexts[i]);
            changes.put(key, Optional.ofNullable(keysAndTexts[i + 1]).map(text -> item(key, text, revision)));
        }
        return new StoreUpdate.Part(at(revision), changes);
    }

    private static CanaryRecord canary(String id, String key, String text) {
        return new CanaryRecord(
                0,
                id,
                "me",
                "",
                Instant.EPOCH,
                Duration.ZERO,
                new TreeMap<>(),
                100,
                null,
                0,
                "",
                new TreeMap<>(Map.of(key, new CanaryRecord.Key(null, text, 0, false))));
    }

    private static String text(CanaryRecord canary) {
        return new String(canary.encode(), StandardCharsets.UTF_8);
    }

    /** The store tells this, and whoever is to be told of it is. */
    private void tell(StoreUpdate news) {
        assertThat(applier.ready()).isTrue();
        Runnable rest = applier.take(news);
        if (rest != null) {
            rest.run();
        }
        rig.loop.run();
    }

    private BindingBuilder<Integer> number(String name) {
        return new BoundBuilder<>(bindings, name, Integer.class, UnknownFields.IGNORE, Converters.none());
    }

    private void listen(String name) {
        bindings.listen(ListenerOptions.named(name), all -> all, delta -> {
            if (!delta.first()) {
                told.add(name + " " + delta.differences().shown());
            }
        });
        rig.loop.run();
    }

    /** Why the canary in the store is held. */
    private String held() {
        CompletableFuture<Optional<Item>> record = space.read(new RecordKey("config", CanaryRecord.KEY));
        rig.loop.run();
        return CanaryRecord.of(record.join().orElseThrow()).held();
    }

    private String value(String key) {
        return inUse.get().layers().text(key).orElse("");
    }

    @Test
    void take_firstSnapshot_comesIntoUse() {
        assertThat(applier.answered()).isFalse();

        tell(whole(Gap.NONE, 5, item("a", "1", 3)));

        assertThat(applier.answered()).isTrue();
        assertThat(applier.known().at()).isEqualTo(at(5));
        assertThat(inUse.get().snapshot().source()).isEqualTo(ConfigSource.LIVE);
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(5));
        assertThat(value("a")).isEqualTo("1");
        assertThat(heard.applied).containsExactly(inUse.get());
        assertThat(heard.considered).containsExactly(applier.known());
        assertThat(heard.gaps).isEmpty();
        assertThat(heard.rejected).isEmpty();
    }

    @Test
    void take_lookAgainBeforeTheStoreHasTold_isNothing() {
        tell(new StoreUpdate.Again());

        assertThat(applier.answered()).isFalse();
        assertThat(inUse.get().snapshot().source()).isEqualTo(ConfigSource.BUNDLED);
        assertThat(heard.applied).isEmpty();
        assertThat(heard.considered).isEmpty();
    }

    @Test
    void take_nothingDiffers_isConsideredAndNotApplied() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        tell(new StoreUpdate.Again());

        assertThat(heard.applied).hasSize(1);
        assertThat(heard.considered).hasSize(2);
    }

    @Test
    void take_onlyTheRejectionDiffers_isOfTheSameLayers() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        Binding<Integer> a = number("a").independent().bind();
        tell(part(6, "a", "x"));
        Layers before = inUse.get().layers();
        assertThat(inUse.get().rejection()).isPresent();

        a.close();
        tell(new StoreUpdate.Again());

        assertThat(inUse.get().rejection()).isEmpty();
        assertThat(inUse.get().layers()).isSameAs(before);
        assertThat(value("a")).isEqualTo("x");
    }

    @Test
    void take_documentWithASecretBeforeOrNow_isSecretAsAWhole() {
        String open = "{\"name\":\"x\"}";
        String code = "{\"code\":1}";
        tell(whole(Gap.NONE, 5, item("doc.json", open, 3)));
        listen("x");

        tell(part(6, "doc.json", code));
        tell(part(7, "doc.json", open));
        tell(part(8, "doc.json", "{}"));

        assertThat(told)
                .containsExactly(
                        "x [doc.json: (secret) -> (secret)]",
                        "x [doc.json: (secret) -> (secret)]",
                        "x [doc.json: '" + open + "' -> '{}']");
        tell(whole(Gap.RESYNCED, 9, item("doc.json", code, 9)));
        tell(whole(Gap.RESYNCED, 10, item("doc.json", open, 10)));
        tell(whole(Gap.RESYNCED, 11, item("doc.json", "{}", 11)));
        assertThat(heard.missed).extracting(KeyChange::secret).containsExactly(true, true, false);
    }

    @Test
    void take_change_isToldToListenersWithWhatIsSecret() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("pin", "1", 3)));
        listen("x");
        listen("y");

        tell(part(6, "a", "2", "pin", "2"));

        assertThat(told)
                .containsExactlyInAnyOrder(
                        "x [a: '1' -> '2', pin: (secret) -> (secret)]", "y [a: '1' -> '2', pin: (secret) -> (secret)]");
        assertThat(value("a")).isEqualTo("2");
        assertThat(applier.known().at()).isEqualTo(at(6));
    }

    @Test
    void take_severalListeners_onlyTheLastIsLeftToTheCaller() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        assertThat(applier.ready()).isTrue();
        assertThat(applier.take(part(6, "a", "2"))).isNull();
        listen("x");
        listen("y");
        assertThat(applier.ready()).isTrue();

        Runnable rest = applier.take(part(7, "a", "3"));

        assertThat(told).isEmpty();
        assertThat(rest).isNotNull();
        rest.run();
        assertThat(told).containsExactly("y [a: '2' -> '3']");
        rig.loop.run();
        assertThat(told).containsExactly("y [a: '2' -> '3']", "x [a: '2' -> '3']");
    }

    @Test
    void take_gap_isToldWithWhatDiffers() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("pin", "1", 3)));
        tell(whole(Gap.RESYNCED, 6, item("a", "2", 6)));

        assertThat(heard.gaps).extracting(StoreUpdate.Whole::gap).containsExactly(Gap.RESYNCED);
        assertThat(heard.missed)
                .containsExactly(
                        new KeyChange("a", Optional.of("1"), Optional.of("2"), false),
                        new KeyChange("pin", Optional.of("1"), Optional.empty(), true));
        tell(whole(Gap.RESYNCED, 7, item("a", "2", 6), item("pin", "3", 7)));
        assertThat(heard.missed.get(2)).isEqualTo(new KeyChange("pin", Optional.empty(), Optional.of("3"), true));
    }

    @Test
    void take_snapshotThatContradictsWhatWasKnown_isRewound() {
        tell(whole(Gap.NONE, 5, item("a", "1", 4)));
        tell(whole(Gap.RESYNCED, 6, item("a", "0", 3)));

        assertThat(heard.gaps).extracting(StoreUpdate.Whole::gap).containsExactly(Gap.REWOUND);
        assertThat(value("a")).isEqualTo("0");
    }

    @Test
    void take_refusedByABinding_leavesAllAsItIsAndSaysWhy() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        Binding<Integer> b =
                number("b").validate(value -> value < 10, "must be small").bind();
        listen("x");

        tell(part(6, "a", "2", "b", "10"));

        var why = new Rejection(6, 0, "b", "must be small");
        assertThat(heard.rejected).containsExactly(why);
        assertThat(inUse.get().rejection()).contains(why);
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(5));
        assertThat(List.of(a.get(), b.get())).containsExactly(1, 1);
        assertThat(told).isEmpty();
        assertThat(heard.considered).hasSize(2);

        tell(part(7, "b", "3"));

        assertThat(inUse.get().rejection()).isEmpty();
        assertThat(List.of(a.get(), b.get())).containsExactly(2, 3);
        assertThat(told).containsExactly("x [a: '1' -> '2', b: '1' -> '3']");
        assertThat(heard.rejected).hasSize(1);
    }

    @Test
    void take_refusedByABinding_independentOnesGoOn() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").independent().bind();
        Binding<Integer> b = number("b").bind();
        List<Integer> values = new ArrayList<>();
        a.onChange((before, now, changes) -> values.add(now));
        rig.loop.run();

        tell(part(6, "a", "2", "b", "x"));

        assertThat(a.get()).isEqualTo(2);
        assertThat(b.get()).isEqualTo(1);
        assertThat(values).containsExactly(1, 2);
        assertThat(value("a")).isEqualTo("1");
        assertThat(inUse.get().rejection().map(Rejection::key)).contains("b");
        assertThat(heard.rejected).hasSize(1);
        assertThat(heard.applied).hasSize(1);
    }

    @Test
    void take_refusedByAnIndependentBinding_onlyItStaysBehindAndThatIsToldOnce() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        Binding<Integer> b = number("b").independent().bind();

        tell(part(6, "a", "2", "b", "x"));
        assertThat(List.of(a.get(), b.get())).containsExactly(2, 1);
        assertThat(inUse.get().rejection().map(Rejection::key)).contains("b");
        assertThat(heard.rejected).hasSize(1);

        tell(part(7, "a", "3"));
        assertThat(a.get()).isEqualTo(3);
        assertThat(heard.rejected).hasSize(1);
        assertThat(inUse.get().rejection().map(Rejection::revision)).contains(7L);

        tell(part(8, "b", "many"));
        assertThat(heard.rejected).hasSize(2);
        tell(part(9, "b", "4"));
        assertThat(b.get()).isEqualTo(4);
        assertThat(inUse.get().rejection()).isEmpty();
    }

    @Test
    void take_headCannotBeRead_isRejectedAndNobodyIsAsked() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        Binding<Integer> a = number("a").independent().bind();

        tell(part(6, "a", "2", SpaceHead.KEY, "?"));

        assertThat(heard.rejected).extracting(Rejection::key).containsExactly(SpaceHead.KEY);
        assertThat(inUse.get().rejection()).isEqualTo(Optional.of(heard.rejected.get(0)));
        assertThat(a.get()).isEqualTo(1);

        tell(part(7, SpaceHead.KEY, null));
        assertThat(a.get()).isEqualTo(2);
        assertThat(inUse.get().rejection()).isEmpty();
    }

    @Test
    void take_canary_comesIntoUseAndGoesWithItsRecord() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        Binding<Integer> a = number("a").bind();

        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        assertThat(a.get()).isEqualTo(2);
        assertThat(inUse.get().canary()).isEqualTo("c1");

        tell(part(7, CanaryRecord.KEY, null));
        assertThat(a.get()).isEqualTo(1);
        assertThat(inUse.get().canary()).isEmpty();
        assertThat(heard.rejected).isEmpty();
    }

    @Test
    void take_canaryRefused_goesOnWithoutItUntilThereIsAnother() {
        List<Integer> asked = new ArrayList<>();
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a")
                .validate(value -> asked.add(value) && value < 10, "must be small")
                .bind();
        rig.write(CanaryRecord.KEY, text(canary("c1", "a", "10")));

        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "10")), "b", "2"));

        var why = new Rejection(6, 0, "a", "canary c1: must be small");
        assertThat(heard.rejected).containsExactly(why);
        assertThat(inUse.get().rejection()).contains(why);
        assertThat(inUse.get().canary()).isEmpty();
        assertThat(value("b")).isEqualTo("2");
        assertThat(asked).containsExactly(1, 10);
        CompletableFuture<Optional<Item>> record = space.read(new RecordKey("config", CanaryRecord.KEY));
        rig.loop.run();
        assertThat(CanaryRecord.of(record.join().orElseThrow()).held()).isEqualTo("i1 rejected it: a: must be small");

        tell(part(7, "b", "3"));
        assertThat(value("b")).isEqualTo("3");
        assertThat(asked).containsExactly(1, 10);
        assertThat(inUse.get().rejection()).contains(why);
        assertThat(heard.rejected).hasSize(1);

        tell(part(8, CanaryRecord.KEY, text(canary("c2", "a", "2"))));
        assertThat(a.get()).isEqualTo(2);
        assertThat(inUse.get().rejection()).isEmpty();
        tell(part(9, CanaryRecord.KEY, text(canary("c1", "a", "3"))));
        assertThat(a.get()).isEqualTo(3);
    }

    @Test
    void take_canaryRefusedByAnIndependentBinding_isNotForAnybody() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        number("a").independent().bind();

        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "x"))));

        assertThat(inUse.get().canary()).isEmpty();
        assertThat(heard.rejected).extracting(Rejection::key).containsExactly("a");
    }

    @Test
    void take_heldCanary_isBegunByNobodyAndGoesOnWhereItIsInUse() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        String held = text(canary("c1", "a", "2").held("by another"));
        tell(part(6, CanaryRecord.KEY, held));
        assertThat(inUse.get().canary()).isEmpty();

        tell(part(7, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        assertThat(inUse.get().canary()).isEqualTo("c1");
        tell(part(8, CanaryRecord.KEY, held));
        assertThat(inUse.get().canary()).isEqualTo("c1");
        assertThat(value("a")).isEqualTo("2");
    }

    @Test
    void take_canaryThatTheApplicationRejects_isLeft() {
        tell(whole(
                Gap.NONE,
                5,
                item("a", "1", 3),
                item(CanaryRecord.KEY, canary("c1", "a", "2").encode(), 4)));
        assertThat(value("a")).isEqualTo("2");

        canaries.reject("c1", "too many errors");
        tell(new StoreUpdate.Again());

        assertThat(value("a")).isEqualTo("1");
        assertThat(inUse.get().canary()).isEmpty();
        assertThat(heard.rejected).containsExactly(new Rejection(5, 0, CanaryRecord.KEY, "canary c1: too many errors"));
    }

    @Test
    void take_valuesOfAllAreRefusedWithACanaryInUse_itGoesOn() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        Binding<Integer> b = number("b").bind();
        Binding<Integer> alone = number("c").orElse(0).independent().bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));

        tell(part(7, "b", "x", "c", "5"));

        assertThat(List.of(a.get(), b.get())).containsExactly(2, 1);
        assertThat(inUse.get().canary()).isEqualTo("c1");
        // An independent binding goes on, with the canary.
        assertThat(alone.get()).isEqualTo(5);
    }

    @Test
    void take_valuesOfAllAreRefused_independentOnesGoOnWithTheCanaryThatIsInUseOnly() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> alone = number("a").independent().bind();
        number("b").bind();
        String held = text(canary("c1", "a", "2").held("by another"));
        tell(part(6, CanaryRecord.KEY, held, "b", "x"));
        assertThat(alone.get()).isEqualTo(1);

        tell(part(7, CanaryRecord.KEY, text(canary("c1", "a", "2")), "b", "2"));
        assertThat(alone.get()).isEqualTo(2);
        tell(part(8, "b", "x"));
        assertThat(alone.get()).isEqualTo(2);
    }

    @Test
    void take_anotherCanaryWhileTheValuesOfAllAreRefused_goesBackToo() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        number("b").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));

        tell(part(7, CanaryRecord.KEY, text(canary("c2", "a", "3")), "b", "x"));

        assertThat(a.get()).isEqualTo(1);
        assertThat(inUse.get().canary()).isEmpty();
    }

    @Test
    void take_canaryIsRejectedWhileTheHeadCannotBeRead_goesBackToo() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        tell(part(7, SpaceHead.KEY, "?"));
        assertThat(value("a")).isEqualTo("2");

        canaries.reject("c1", "too many errors");
        tell(new StoreUpdate.Again());

        assertThat(value("a")).isEqualTo("1");
        assertThat(inUse.get().canary()).isEmpty();
    }

    @Test
    void take_canaryIsGoneAndNoValuesWithoutItAreGood_itsValuesStay() {
        tell(whole(
                Gap.NONE,
                5,
                item("a", "x", 3),
                item("b", "1", 3),
                item(CanaryRecord.KEY, canary("c1", "a", "2").encode(), 4)));
        number("a").bind();
        number("b").bind();

        tell(part(7, "b", "x", CanaryRecord.KEY, null));

        assertThat(value("a")).isEqualTo("2");
        assertThat(inUse.get().canary()).isEqualTo("c1");
        assertThat(inUse.get().rejection().map(Rejection::key)).isPresent();
    }

    @Test
    void take_canaryIsGoneWhileTheValuesOfAllAreRefused_keepsWhatCameIntoUseBesideIt() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3), item("kill", "0", 3)));
        Binding<Integer> a = number("a").bind();
        number("b").bind();
        Binding<Integer> kill = number("kill").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        tell(part(7, "kill", "1"));
        tell(part(8, "b", "x"));
        int applied = heard.applied.size();

        tell(part(9, CanaryRecord.KEY, null));

        assertThat(List.of(a.get(), kill.get())).containsExactly(1, 1);
        assertThat(inUse.get().canary()).isEmpty();
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(7));
        assertThat(heard.applied.subList(applied, heard.applied.size()))
                .extracting(ActiveConfig::rejection)
                .doesNotContain(Optional.empty());
        assertThat(inUse.get().rejection().map(Rejection::key)).contains("b");
    }

    @Test
    void take_canaryHidTheBadValue_keepsTheLastGoodOnesBesideIt() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("kill", "0", 3)));
        Binding<Integer> a = number("a").bind();
        Binding<Integer> kill = number("kill").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        tell(part(7, "kill", "1"));
        tell(part(8, "a", "x"));
        assertThat(inUse.get().rejection()).isEmpty();

        tell(part(9, CanaryRecord.KEY, null));

        assertThat(List.of(a.get(), kill.get())).containsExactly(1, 1);
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(7));
        assertThat(inUse.get().rejection().map(Rejection::key)).contains("a");
    }

    @Test
    void take_canaryHidTheBadValueForLong_goesBackToWhatWasInUseBeforeIt() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("kill", "0", 3)));
        Binding<Integer> kill = number("kill").bind();
        number("a").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        tell(part(7, "kill", "1"));
        tell(part(8, "a", "x"));
        for (int i = 0; i < 40; i++) {
            tell(part(9 + i, "kill", Integer.toString(2 + i)));
        }

        tell(part(60, CanaryRecord.KEY, null));

        assertThat(kill.get()).isEqualTo(0);
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(5));
    }

    @Test
    void take_markedSecretWhileRejected_isSecretAtOnce() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        number("b").bind();
        listen("x");
        tell(part(6, "b", "x"));
        Layers before = inUse.get().layers();
        assertThat(inUse.get().layers().explain("a", secrets).toString()).contains("1");

        tell(part(7, SpaceHead.KEY, marks("a")));

        assertThat(inUse.get().rejection().map(Rejection::key)).contains("b");
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(5));
        assertThat(inUse.get().snapshot().value("a").orElseThrow().secret()).isTrue();
        assertThat(inUse.get().snapshot().value("b").orElseThrow().secret()).isFalse();
        assertThat(inUse.get().layers().explain("a", secrets).value()).contains("(secret)");
        assertThat(inUse.get().layers().same("a", before)).isTrue();
        assertThat(told).isEmpty();

        Layers marked = inUse.get().layers();
        tell(part(8, "b", "y"));
        assertThat(inUse.get().layers()).isSameAs(marked);
        tell(part(9, "b", "2", "a", "3"));
        assertThat(a.get()).isEqualTo(3);
        assertThat(told).containsExactly("x [a: (secret) -> (secret), b: '1' -> '2']");
    }

    @Test
    void take_markedSecretAndBackFromACanaryWhileRejected_isSecret() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        number("b").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        tell(part(7, "b", "x", SpaceHead.KEY, marks("a")));
        assertThat(inUse.get().snapshot().value("a").orElseThrow().secret()).isTrue();
        listen("x");

        tell(part(8, CanaryRecord.KEY, null));

        assertThat(value("a")).isEqualTo("1");
        // Already as it comes into use, when the cache is written.
        ActiveConfig last = heard.applied.get(heard.applied.size() - 1);
        assertThat(last.snapshot().value("a").orElseThrow().secret()).isTrue();
        assertThat(inUse.get().snapshot().value("a").orElseThrow().secret()).isTrue();
        assertThat(told).containsExactly("x [a: (secret) -> (secret)]");
    }

    private static String marks(String key) {
        return new String(SpaceHead.NONE.secrets(new TreeSet<>(List.of(key))).encode(), StandardCharsets.UTF_8);
    }

    @Test
    void take_canaryIsGoneWhileTheValuesOfAllAreRefused_goesBackToWhatTheyWereLast() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        number("b").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        assertThat(a.get()).isEqualTo(2);

        tell(part(7, "b", "x", CanaryRecord.KEY, null));

        assertThat(a.get()).isEqualTo(1);
        assertThat(inUse.get().canary()).isEmpty();
        assertThat(inUse.get().snapshot().position()).isEqualTo(at(6));
        assertThat(inUse.get().rejection().map(Rejection::key)).contains("b");
    }

    @Test
    void take_canaryIsRejectedWhileTheValuesOfAllAreRefused_goesBackToo() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").bind();
        number("b").bind();
        tell(part(6, CanaryRecord.KEY, text(canary("c1", "a", "2"))));
        rig.write(CanaryRecord.KEY, text(canary("c1", "a", "2")));
        tell(part(7, "b", "x"));
        assertThat(a.get()).isEqualTo(2);

        canaries.reject("c1", "too many errors");
        tell(new StoreUpdate.Again());

        assertThat(a.get()).isEqualTo(1);
        assertThat(inUse.get().canary()).isEmpty();
        assertThat(held()).isEqualTo("i1 rejected it: $canary: too many errors");
    }

    @Test
    void take_bindingMadeWhileARevisionIsDecided_isAskedToo() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        List<Binding<Integer>> late = new ArrayList<>();
        Binding<Integer> a = number("a")
                .prepare(value -> {
                    if (value == 2) {
                        late.add(number("b").bind());
                    }
                })
                .bind();

        tell(part(6, "a", "2", "b", "3"));

        assertThat(a.get()).isEqualTo(2);
        assertThat(late).hasSize(1);
        assertThat(late.get(0).get()).isEqualTo(3);
    }

    @Test
    void take_allWentBackWhileARevisionIsDecided_asksAnewWhatDiffersFromThat() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "x", 3)));
        earlier.add(new CandidateState(ConfigSource.LIVE, at(4), 0, Bounds.values("a", "0", "b", "1"), ""));
        List<Integer> asked = new ArrayList<>();
        List<Binding<Integer>> late = new ArrayList<>();
        Binding<Integer> a = number("a")
                .prepare(value -> {
                    asked.add(value);
                    if (value == 2 && late.isEmpty()) {
                        late.add(number("b").bind());
                    }
                })
                .bind();
        a.onChange((before, now, changes) -> told.add(before.orElse(-1) + " then " + now));
        rig.loop.run();

        tell(part(6, "a", "2", "b", "3"));

        assertThat(asked).containsExactly(1, 2, 0, 2);
        assertThat(a.get()).isEqualTo(2);
        assertThat(late.get(0).get()).isEqualTo(3);
        assertThat(told).containsExactly("-1 then 1", "1 then 0", "0 then 2");
    }

    @Test
    void take_closed_changesNothing() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        number("a").bind();
        inUse.change(ActiveConfig::ended);

        tell(part(6, "a", "2"));
        tell(part(7, "a", "x"));

        assertThat(value("a")).isEqualTo("1");
        assertThat(heard.applied).hasSize(1);
        assertThat(heard.rejected).isEmpty();
    }

    @Test
    void take_closedWithIndependentBindings_comesToItsEnd() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3), item("b", "1", 3)));
        Binding<Integer> a = number("a").independent().bind();
        number("b").bind();
        inUse.change(ActiveConfig::ended);

        tell(part(6, "a", "2", SpaceHead.KEY, "?"));

        assertThat(a.get()).isEqualTo(1);
        assertThat(heard.rejected).isEmpty();
    }

    @Test
    void take_breaks_othersHaveTheirTurn() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        listen("x");
        heard.breaks = new IllegalStateException("broken");
        assertThat(applier.ready()).isTrue();

        assertThatThrownBy(() -> applier.take(part(6, "a", "2"))).hasMessage("broken");
        heard.breaks = null;
        rig.loop.run();

        // The listener is told by another.
        assertThat(told).containsExactly("x [a: '1' -> '2']");
        tell(part(7, "a", "3"));
        assertThat(told).hasSize(2);
    }

    @Test
    void runExclusively_newsWait() {
        List<Boolean> within = new ArrayList<>();

        boolean done = applier.runExclusively("x", () -> within.add(applier.ready()), PATIENCE);

        assertThat(done).isTrue();
        assertThat(within).containsExactly(false);
        assertThat(free).containsExactly("free");
        tell(whole(Gap.NONE, 5));
    }

    @Test
    void runExclusively_newsAreBeingConsidered_isNotDone() {
        assertThat(applier.ready()).isTrue();
        List<String> done = new ArrayList<>();

        boolean other = CompletableFuture.supplyAsync(
                        () -> applier.runExclusively("x", () -> done.add("other"), Duration.ofMillis(1)))
                .join();

        assertThat(other).isFalse();
        assertThat(done).isEmpty();
        // By the thread that considers them it is.
        assertThat(applier.runExclusively("x", () -> done.add("this"), Duration.ofMillis(1)))
                .isTrue();
        assertThat(done).containsExactly("this");
        assertThat(free).hasSize(1);
    }

    @Test
    void slow_whoTakesLong_isWarnedOfByName() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        number("a")
                .prepare(value -> {
                    if (value > 1) {
                        rig.pass(Duration.ofSeconds(11));
                    }
                })
                .bind();
        tell(part(6, "a", "2"));
        assertThat(heard.slow).containsExactly("prepare of a 10");

        assertThat(applier.runExclusively("binding b", () -> rig.pass(Duration.ofSeconds(11)), PATIENCE))
                .isTrue();
        assertThat(heard.slow).containsExactly("prepare of a 10", "binding b 10");

        rig.pass(Duration.ofMinutes(1));
        assertThat(heard.slow).hasSize(2);
    }

    @Test
    void slow_whoIsDone_isNotWarnedOf() {
        tell(whole(Gap.NONE, 5, item("a", "1", 3)));
        number("a").bind();
        for (String text : List.of("2", "x")) {
            tell(part(6, "a", text));
            rig.pass(Duration.ofMinutes(1));
        }
        applier.runExclusively("binding b", () -> {}, PATIENCE);
        rig.pass(Duration.ofMinutes(1));
        Runnable broken = () -> {
            throw new IllegalStateException("broken");
        };
        assertThatThrownBy(() -> applier.runExclusively("binding b", broken, PATIENCE))
                .hasMessage("broken");
        rig.pass(Duration.ofMinutes(1));

        assertThat(heard.slow).isEmpty();
    }
}
