package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.config.Bounds;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.Rig;
import io.baton.config.internal.active.ActiveConfig;
import io.baton.config.internal.active.CandidateState;
import io.baton.config.internal.active.Refused;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.SpaceHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which canary is for this instance, and what it makes of the values. */
class CanaryChoiceTest {

    private static final StoreState.Scope SCOPE = new StoreState.Scope("a.", key -> key.equals("a.pin"));

    private final Rig rig = new Rig("canarychoice");
    private final Coordinator app = rig.client("app");
    private final List<String> over = new ArrayList<>();
    private final CanaryClock clock =
            new CanaryClock(ConfigSpace.of(app, "config").loop(), over::add);
    private final Bounds bounds = new Bounds(rig);
    private final CanaryChoice choice =
            choice(Optional.of(FleetEntry.open(ConfigSpace.of(app, "config"), "i1", Map.of("zone", "east"))));

    private CanaryChoice choice(Optional<FleetEntry> self) {
        return new CanaryChoice(self, SCOPE, new CanaryHold(ConfigSpace.of(app, "config")), clock);
    }

    private static CanaryRecord canary(long revision, String zone, String... keysAndTexts) {
        var keys = new TreeMap<String, CanaryRecord.Key>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            String text = keysAndTexts[i + 1];
            keys.put(keysAndTexts[i], new CanaryRecord.Key(null, text.isEmpty() ? null : text, 0, false));
        }
        var labels = new TreeMap<>(Map.of("zone", zone));
        return new CanaryRecord(
                revision, "c1", "me", "", Instant.EPOCH, Duration.ofMinutes(5), labels, 100, null, 0, "", keys);
    }

    private static StoreState known(Optional<CanaryRecord> canary, String... keysAndTexts) {
        return new StoreState(
                new Position("h", 9), Bounds.values(keysAndTexts), SpaceHead.NONE.next(10), Optional.empty(), canary);
    }

    @Test
    void of_chosen_asLongAsItLasts() {
        CanaryRecord its = canary(9, "east");
        assertThat(choice.of(known(Optional.of(its)))).contains(its);
        rig.pass(Duration.ofMinutes(5));
        assertThat(choice.of(known(Optional.of(its)))).isEmpty();
        // Once there was none it begins anew.
        assertThat(choice.of(known(Optional.empty()))).isEmpty();
        assertThat(choice.of(known(Optional.of(its)))).contains(its);
    }

    @Test
    void of_notChosenOrWithoutAName_none() {
        assertThat(choice.of(known(Optional.of(canary(9, "west"))))).isEmpty();
        assertThat(choice(Optional.empty()).of(known(Optional.of(canary(9, "east")))))
                .isEmpty();
    }

    /** The instances that were chosen may all be gone. */
    @Test
    void of_notChosen_isOverALittleLaterThanItLasts() {
        choice.of(known(Optional.of(canary(9, "west"))));
        rig.pass(Duration.ofMinutes(5).plusSeconds(4));
        assertThat(over).isEmpty();
        rig.pass(Duration.ofSeconds(7));

        assertThat(over).containsExactly("c1");
    }

    @Test
    void of_withoutAName_endsNone() {
        choice(Optional.empty()).of(known(Optional.of(canary(9, "west"))));
        rig.pass(Duration.ofHours(1));

        assertThat(over).isEmpty();
    }

    @Test
    void with_laidOverWhatIsKnown_ofThisPrefixOnly() {
        CanaryRecord canary = canary(9, "east", "a.x", "2", "a.gone", "", "a.pin", "3", "b", "4");

        CandidateState over =
                choice.with(canary, known(Optional.of(canary), "a.gone", "1", "a.y", "1"), bounds.state());

        assertThat(over.values())
                .containsExactlyEntriesOf(new TreeMap<>(Map.of(
                        "a.pin", new ConfigValue("a.pin", "3", 9, true),
                        "a.x", new ConfigValue("a.x", "2", 9, false),
                        "a.y", new ConfigValue("a.y", "1", 1, false))));
        assertThat(over.canary()).isEqualTo("c1");
        assertThat(over.source()).isEqualTo(ConfigSource.LIVE);
        assertThat(over.at()).isEqualTo(new Position("h", 9));
        assertThat(over.change()).isEqualTo(1);
    }

    @Test
    void with_recordIsWrittenAnew_whatIsInUseStaysTheVerySame() {
        CanaryRecord before = canary(9, "east", "a.x", "2", "a.y", "2");
        CandidateState first = choice.with(before, known(Optional.of(before)), bounds.state());
        ActiveConfig now = ActiveConfig.of(first, bounds.layers());
        CanaryRecord again = canary(12, "east", "a.x", "2", "a.y", "3", "a.z", "2");

        CandidateState next = choice.with(again, known(Optional.of(again)), now);

        assertThat(next.values().get("a.x")).isSameAs(first.values().get("a.x"));
        assertThat(next.values().get("a.y")).isEqualTo(new ConfigValue("a.y", "3", 12, false));
        assertThat(next.values().get("a.z")).isEqualTo(new ConfigValue("a.z", "2", 12, false));
    }

    @Test
    void with_sameTextWithoutTheCanary_isAnotherWriting() {
        CanaryRecord canary = canary(9, "east", "a.x", "2");
        CandidateState over = choice.with(canary, known(Optional.of(canary)), bounds.state("a.x", "2"));
        assertThat(over.values().get("a.x").revision()).isEqualTo(9);
    }

    @Test
    void with_secretByNow_bearsTheMark() {
        CanaryRecord before = canary(9, "east", "a.x", "2");
        CandidateState first = choice.with(before, known(Optional.of(before)), bounds.state());
        var keys = new TreeMap<>(Map.of("a.x", new CanaryRecord.Key(null, "2", 0, true)));
        CanaryRecord again = new CanaryRecord(
                12, "c1", "me", "", Instant.EPOCH, Duration.ZERO, new TreeMap<>(), 100, null, 0, "", keys);
        CandidateState next = choice.with(again, known(Optional.of(again)), ActiveConfig.of(first, bounds.layers()));
        assertThat(next.values().get("a.x").secret()).isTrue();
    }

    @Test
    void reject_thisOneOnly() {
        CanaryRecord canary = canary(9, "east");
        assertThat(choice.rejection(canary)).isEmpty();
        choice.reject("c0", "too small");
        assertThat(choice.rejection(canary)).isEmpty();
        choice.reject("c1", "too large");
        assertThat(choice.rejection(canary).map(Refused::reason)).contains("too large");
        assertThat(choice.rejection(canary).map(Refused::key)).contains("$canary");
    }

    @Test
    void refused_itIsHeldByThisInstance() {
        String record = new String(canary(0, "east", "a.x", "2").encode(), StandardCharsets.UTF_8);
        rig.write("$canary", record);
        choice.refused(canary(9, "east"), "too large");
        rig.loop.run();

        var found = ConfigSpace.of(rig.client("reader"), "config").read(new RecordKey("config", CanaryRecord.KEY));
        rig.loop.run();
        assertThat(CanaryRecord.of(found.join().orElseThrow()).held()).isEqualTo("i1 rejected it: too large");
    }
}
