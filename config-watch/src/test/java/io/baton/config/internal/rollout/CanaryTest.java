package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.RecordKey;
import io.baton.config.Binding;
import io.baton.config.ConfigEvent;
import io.baton.config.FleetMember;
import io.baton.config.ListenerOptions;
import io.baton.config.LiveConfig;
import io.baton.config.LiveConfigBuilder;
import io.baton.config.Rig;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Space;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which values an instance uses while there is a canary, and what becomes of one that it rejects. */
class CanaryTest {

    private final Rig rig = new Rig("canary");
    private final List<ConfigEvent> events = new ArrayList<>();

    @TempDir
    Path directory;

    private LiveConfig open(String zone) {
        LiveConfig config = rig.open(rig.builder().instance("i1").label("zone", zone));
        config.onEvent(events::add);
        return config;
    }

    private static String canary(String id, String held, String key, String now) {
        var keys = new TreeMap<>(Map.of(key, new CanaryRecord.Key(null, now, 0, false)));
        var labels = new TreeMap<>(Map.of("zone", "east"));
        var record = new CanaryRecord(0, id, "me", "", Instant.EPOCH, Duration.ZERO, labels, 100, null, 0, held, keys);
        return new String(record.encode(), StandardCharsets.UTF_8);
    }

    private String held() {
        var found = ConfigSpace.of(rig.client("reader"), "config").read(new RecordKey("config", CanaryRecord.KEY));
        rig.loop.run();
        return CanaryRecord.of(found.join().orElseThrow()).held();
    }

    @Test
    void chosen_usesIt_othersDoNot() {
        rig.write("a", "1");
        LiveConfig east = open("east");
        LiveConfig west = open("west");
        LiveConfig nameless = rig.open(rig.builder().label("zone", "east"));
        rig.write("$canary", canary("c1", "", "a", "2"));

        assertThat(east.get("a")).contains("2");
        assertThat(east.status().canary()).contains("c1");
        assertThat(west.get("a")).contains("1");
        assertThat(west.status().canary()).isEmpty();
        assertThat(nameless.get("a")).contains("1");

        rig.write("$canary", null);
        assertThat(east.get("a")).contains("1");
        assertThat(east.status().canary()).isEmpty();
    }

    @Test
    void rejected_allGoesOnWithoutItAndItIsHeld() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = open("east");
        Binding<Integer> a = config.bind("a", Integer.class);
        rig.write("$canary", canary("c1", "", "a", "many"), "b", "2");
        rig.pass(Duration.ofSeconds(2));

        assertThat(a.get()).isEqualTo(1);
        assertThat(config.get("b")).contains("2");
        assertThat(config.status().canary()).isEmpty();
        assertThat(config.status().rejection().orElseThrow().reason()).contains("c1");
        assertThat(config.status().healthy()).isFalse();
        assertThat(held()).contains("i1");
        assertThat(events).hasSize(1).allMatch(ConfigEvent.Rejected.class::isInstance);

        rig.write("b", "3");
        assertThat(config.get("b")).contains("3");
        assertThat(config.status().rejection()).isPresent();
        rig.write("$canary", null);
        assertThat(config.status().rejection()).isEmpty();
        assertThat(events).hasSize(2).last().isInstanceOf(ConfigEvent.Recovered.class);
    }

    @Test
    void rejectedForAnotherReason_isNotBlamed() {
        rig.write("a", "1", "b", "1");
        LiveConfig config = open("east");
        Binding<Integer> b = config.bind("b", Integer.class);
        rig.write("$canary", canary("c1", "", "a", "2"), "b", "x");
        rig.pass(Duration.ofSeconds(2));

        assertThat(config.get("a")).contains("1");
        assertThat(held()).isEmpty();
        rig.write("b", "2");
        assertThat(b.get()).isEqualTo(2);
        assertThat(config.get("a")).contains("2");
    }

    @Test
    void held_whoUsesItGoesOnAndNobodyBegins() {
        rig.write("a", "1");
        LiveConfig early = open("east");
        List<String> told = new ArrayList<>();
        early.onKey("a", ListenerOptions.named("a"), (changes, revision) -> told.add(changes.toString()));
        rig.write("$canary", canary("c1", "", "a", "2"));
        rig.write("$canary", canary("c1", "somebody rejected it", "a", "2"));
        LiveConfig late = open("east");

        assertThat(early.get("a")).contains("2");
        assertThat(late.get("a")).contains("1");
        assertThat(told).containsExactly("[a: (none) -> '1']", "[a: '1' -> '2']");
    }

    @Test
    void instanceStartedAnewWithTheStoreDown_beginsWithoutIt() {
        rig.write("a", "1");
        rig.open(remembering()).close();
        rig.write("$canary", canary("c1", "", "a", "2"));
        LiveConfig first = rig.open(remembering());
        assertThat(first.get("a")).contains("2");
        first.close();
        rig.store.suspend("app");
        LiveConfig again = rig.open(remembering());
        assertThat(again.status().canary()).isEmpty();
        assertThat(again.get("a")).contains("1");
    }

    private LiveConfigBuilder remembering() {
        return rig.builder().instance("i1").label("zone", "east").cache(directory.resolve("cache"));
    }

    private FleetMember member(String id) {
        rig.pass(Duration.ofSeconds(3));
        var found = new Space(ConfigSpace.of(rig.client("reader"), "config")).fleet();
        rig.pass(Duration.ofSeconds(1));
        return found.join().stream()
                .filter(each -> each.id().equals(id))
                .reduce((one, other) -> other)
                .orElseThrow();
    }

    private CanaryRecord chosen(FleetMember member, Duration lasts, long asked) {
        var keys = new TreeMap<>(Map.of("a", new CanaryRecord.Key("1", "2", 0, false)));
        var processes = new TreeMap<>(Map.of(member.process(), member.id()));
        return new CanaryRecord(
                0, "c1", "me", "", Instant.EPOCH, lasts, new TreeMap<>(), 100, processes, asked, "", keys);
    }

    private void write(CanaryRecord canary) {
        rig.write("$canary", new String(canary.encode(), StandardCharsets.UTF_8));
    }

    private Optional<CanaryRecord> record() {
        var found = ConfigSpace.of(rig.client("reader"), "config").read(new RecordKey("config", CanaryRecord.KEY));
        rig.pass(Duration.ofSeconds(1));
        return found.join().map(CanaryRecord::of);
    }

    @Test
    void processesWereChosen_oneThatStartsLaterUnderTheSameNameDoesNotTryIt() {
        rig.write("a", "1");
        LiveConfig first = open("east");
        FleetMember member = member("i1");
        LiveConfig second = open("east");
        write(chosen(member, Duration.ofMinutes(5), 0));

        assertThat(first.get("a")).contains("2");
        assertThat(second.get("a")).contains("1");
    }

    @Test
    void lastsAsLongAsItMay_isTakenBackByThoseWhoTryIt() {
        rig.write("a", "1");
        LiveConfig config = open("east");
        write(chosen(member("i1"), Duration.ofMinutes(5), 0));
        rig.pass(Duration.ofMinutes(4));
        assertThat(config.get("a")).contains("2");
        assertThat(record()).isPresent();

        rig.pass(Duration.ofMinutes(1));

        assertThat(config.get("a")).contains("1");
        assertThat(config.status().canary()).isEmpty();
        assertThat(record()).isEmpty();
    }

    @Test
    void lastsAsLongAsItMay_whoIsCutOffGoesBackBySelf() {
        rig.write("a", "1");
        LiveConfig config = open("east");
        write(chosen(member("i1"), Duration.ofMinutes(5), 0));
        assertThat(config.get("a")).contains("2");

        rig.cutFor(Duration.ofMinutes(6), () -> rig.write("$canary", null));
        rig.store.suspend("app");
        rig.loop.run();

        assertThat(config.get("a")).contains("1");
    }

    @Test
    void asked_answersAsSoonAsItIsApplied() {
        rig.write("a", "1");
        LiveConfig config = open("east");
        FleetMember before = member("i1");
        write(chosen(before, Duration.ofMinutes(5), 3));
        FleetMember member = member("i1");

        assertThat(config.status().canary()).contains("c1");
        assertThat(member.asked()).isEqualTo(3);
        assertThat(member.approves()).isTrue();
        assertThat(member.process()).isEqualTo(before.process());
        assertThat(record().orElseThrow().shown().objections(List.of(member))).isEmpty();
    }

    @Test
    void applicationApproves_beforeThatItDoesNot() {
        rig.write("a", "1");
        LiveConfig config = rig.open(rig.builder().instance("i1").approvesCanaries());
        write(chosen(member("i1"), Duration.ofMinutes(5), 0));
        assertThat(member("i1").approves()).isFalse();
        config.approveCanary("another");
        assertThat(member("i1").approves()).isFalse();
        config.approveCanary("c1");
        assertThat(member("i1").approves()).isTrue();
    }

    @Test
    void applicationRejects_allGoesBackAndItIsHeld() {
        rig.write("a", "1");
        LiveConfig config = open("east");
        write(chosen(member("i1"), Duration.ofMinutes(5), 0));
        config.rejectCanary("another", "no matter");
        rig.loop.run();
        assertThat(config.get("a")).contains("2");

        config.rejectCanary("c1", "too many errors");
        rig.pass(Duration.ofSeconds(2));

        assertThat(config.get("a")).contains("1");
        assertThat(config.status().rejection().orElseThrow().reason()).isEqualTo("canary c1: too many errors");
        assertThat(held()).isEqualTo("i1 rejected it: $canary: too many errors");
    }

    @Test
    void listenerGivesUpOnIt_isRejected() {
        rig.write("a", "1");
        LiveConfig config = open("east");
        ListenerOptions once = ListenerOptions.named("pool").attempts(1, Duration.ofMillis(100));
        config.onKey("a", once, (changes, revision) -> {
            if (changes.get(0).now().equals(Optional.of("2"))) {
                throw new IllegalStateException("no");
            }
        });
        write(chosen(member("i1"), Duration.ofMinutes(5), 0));
        rig.pass(Duration.ofSeconds(2));

        assertThat(config.get("a")).contains("1");
        assertThat(held()).contains("listener pool failed");
    }

    @Test
    void unreadable_isNoCanary() {
        rig.write("a", "1");
        LiveConfig config = open("east");
        rig.write("$canary", "nonsense", "a", "2");

        assertThat(config.get("a")).contains("2");
        assertThat(config.status().healthy()).isTrue();
    }
}
