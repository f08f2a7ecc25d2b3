package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.RecordKey;
import io.baton.internal.ConfigSpace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        var record = new CanaryRecord(0, id, "me", "", Instant.EPOCH, labels, 100, held, keys);
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
    void held_instanceStartedAnewWithTheStoreDown_goesOnWithIt() {
        rig.write("a", "1");
        rig.write("$canary", canary("c1", "", "a", "2"));
        rig.open(remembering()).close();
        rig.write("$canary", canary("c1", "somebody rejected it", "a", "2"));
        rig.store.suspend("app");
        LiveConfig again = rig.open(remembering());
        again.onEvent(events::add);
        assertThat(again.status().canary()).contains("c1");
        rig.store.resume();
        rig.loop.run();

        assertThat(events).containsExactly(new ConfigEvent.Switched(ConfigSource.CACHED, ConfigSource.LIVE));
        assertThat(again.get("a")).contains("2");
        assertThat(again.status().canary()).contains("c1");
    }

    private LiveConfigBuilder remembering() {
        return rig.builder().instance("i1").label("zone", "east").cache(directory.resolve("cache"));
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
