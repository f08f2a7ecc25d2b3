package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigStore;
import io.baton.config.KeyChange;
import io.baton.config.LiveConfig;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.FleetState;
import io.baton.memory.MemoryStore;
import io.baton.spi.Guarantees;
import io.baton.spi.Line;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
import io.baton.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class CanaryStoreTest {

    private Coordinator baton;
    private ConfigStore config;

    @BeforeEach
    void open() throws InterruptedException {
        MemoryStore.drop("canary"); // another class may have left it
        baton = Coordinator.connect("mem:canary");
        config = ConfigStore.of(baton);
        config.edit().put("a", "1").put("b", "1").commit();
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("canary");
    }

    /** An instance that tries whatever begins from now on. */
    private void follow() throws InterruptedException {
        LiveConfig unused = LiveConfig.builder(baton).instance("web").open();
        await().until(() -> config.fleet().size() == 1);
    }

    private CanaryRecord record() throws InterruptedException {
        Item item = baton.records("config").get(CanaryRecord.KEY).orElseThrow();
        return CanaryRecord.of(item);
    }

    @Test
    void canary_written_leavesTheValuesAndTheHistory() throws InterruptedException {
        Canary canary = config.edit().put("a", "2").delete("b").canary(Map.of("zone", "z1"), 50);

        assertThat(config.canary()).contains(canary);
        assertThat(canary.changes())
                .containsExactly(
                        new KeyChange("a", Optional.of("1"), Optional.of("2"), false),
                        new KeyChange("b", Optional.of("1"), Optional.empty(), false));
        assertThat(config.get("a").orElseThrow().text()).isEqualTo("1");
        assertThat(config.history(5)).hasSize(1);
        assertThat(config.list("").keySet()).containsExactly("a", "b");
        var over = record().overlay(new TreeMap<>(config.list("")));
        assertThat(over.keySet()).containsExactly("a");
        assertThat(over.get("a").text()).isEqualTo("2");
    }

    @Test
    void canary_anotherUnderWay_isRefused() throws InterruptedException {
        Canary canary = config.edit().put("a", "2").canary(Map.of(), 100);

        assertThatThrownBy(() -> config.edit().put("b", "2").canary(Map.of(), 100))
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining(canary.id());
        assertThatThrownBy(() -> config.edit().put("b", "2").canary(Map.of(), 0))
                .hasMessageContaining("percent");
    }

    @Test
    void promote_untouched_isAChangeForAll() throws InterruptedException {
        follow();
        Canary canary = config.edit().put("a", "2").delete("b").comment("try").canary(Map.of(), 100);

        ConfigCommit commit = config.promote(canary.id());

        assertThat(commit.change()).isEqualTo(2);
        assertThat(config.list("").keySet()).containsExactly("a");
        assertThat(config.history(1).get(0).comment()).isEqualTo("canary " + canary.id() + ": try");
        assertThat(config.canary()).isEmpty();
    }

    @Test
    void promote_held_isRefusedWithTheReason() throws InterruptedException {
        Canary canary = config.edit().put("a", "2").canary(Map.of(), 10);
        try (CanaryHold hold = new CanaryHold(ConfigSpace.of(baton, "config"))) {
            hold.hold(canary.id(), "i-1: too large");
            await().until(() -> !config.canary().orElseThrow().held().isEmpty());
            hold.hold(canary.id(), "i-2: too late");
            // Asked after it, and more of it.
            config.edit().put("b", "2").commit();
            config.edit().put("b", "3").commit();
        }

        assertThatThrownBy(() -> config.promote(canary.id()))
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("i-1: too large");
    }

    @Test
    void hold_ofACanaryThatIsOver_marksNoOther() throws InterruptedException {
        Canary first = config.edit().put("a", "2").canary(Map.of(), 10);
        config.abort(first.id());
        Canary second = config.edit().put("a", "2").canary(Map.of(), 10);

        try (CanaryHold hold = new CanaryHold(ConfigSpace.of(baton, "config"))) {
            hold.hold(first.id(), "late");
            hold.hold("none", "never");
            config.edit().put("b", "2").commit();
        }

        assertThat(config.canary().orElseThrow().id()).isEqualTo(second.id());
        assertThat(config.canary().orElseThrow().held()).isEmpty();
    }

    @Test
    void abort_takesItBack() throws InterruptedException {
        Canary canary = config.edit().put("a", "2").canary(Map.of(), 10);

        assertThatThrownBy(() -> config.abort("other")).hasMessageContaining(canary.id());
        config.abort(canary.id());

        assertThat(config.canary()).isEmpty();
        assertThatThrownBy(() -> config.abort(canary.id())).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> config.promote(canary.id())).isInstanceOf(ConfigException.class);
    }

    @Test
    void chooses_labelsAndShare_isStableAndAboutTheShare() throws InterruptedException {
        config.edit().put("a", "2").canary(Map.of("zone", "z1"), 30);
        CanaryRecord canary = record();
        Map<String, String> bears = Map.of("zone", "z1", "role", "web");

        List<Integer> chosen = IntStream.range(0, 1_000)
                .filter(i -> canary.shown().chooses("i-" + i, bears))
                .boxed()
                .toList();

        assertThat(chosen.size()).isBetween(220, 380);
        CanaryRecord again = record();
        assertThat(chosen).allMatch(i -> again.shown().chooses("i-" + i, bears));
        assertThat(chosen).noneMatch(i -> canary.shown().chooses("i-" + i, Map.of("zone", "z2")));
        assertThat(chosen).noneMatch(i -> canary.shown().chooses("i-" + i, Map.of()));
    }

    @Test
    void canary_ofASecret_isSecretThroughout() throws InterruptedException {
        follow();
        Canary canary = config.edit().put("password", "x").secret("password").canary(Map.of(), 100);

        assertThat(canary.toString()).doesNotContain("x,");
        assertThat(canary.changes()).allMatch(KeyChange::secret);
        assertThat(record().overlay(new TreeMap<>()).get("password").secret()).isTrue();
        config.promote(canary.id());
        assertThat(config.get("password").orElseThrow().secret()).isTrue();
    }

    @Test
    void canary_takesASecretMarkAway_isRefusedAndTheValueStaysSecret() throws InterruptedException {
        config.edit().put("password", "old").secret("password").commit();

        assertThatThrownBy(() -> config.edit()
                        .put("password", "new")
                        .notSecret("password")
                        .canary(Map.of(), 100))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("takes no secret mark away, as from 'password'");

        assertThat(config.canary()).isEmpty();
        assertThat(config.get("password").orElseThrow().secret()).isTrue();
        Canary marked = config.edit().put("password", "new").canary(Map.of(), 100);
        config.abort(marked.id());
        assertThat(config.get("password").orElseThrow().secret()).isTrue();
    }

    /** The same store with room for this many bytes in a record. */
    private static Store limited(int maxBytes) {
        Store store = MemoryStore.named("canary");
        Guarantees all = store.guarantees();
        return new Store() {
            @Override
            public Guarantees guarantees() {
                return new Guarantees(
                        all.acknowledged(), all.failOver(), all.wakeUp(), all.maxOps(), maxBytes, all.expiryLag());
            }

            @Override
            public void check(Line line) {
                store.check(line);
            }

            @Override
            public Session open(SessionSpec spec, Loop loop, SessionListener to) {
                return store.open(spec, loop, to);
            }
        };
    }

    private Canary canaryWith(int maxBytes) throws InterruptedException {
        try (Coordinator small = Coordinator.connect(limited(maxBytes), CoordinatorOptions.defaults())) {
            return ConfigStore.of(small).edit().put("a", "2").canary(Map.of(), 100);
        }
    }

    @Test
    void canary_itsRecordIsTooLarge_isRefusedWithTheNumbers() throws InterruptedException {
        List<FleetEntry> members = IntStream.range(0, 5)
                .mapToObj(i -> FleetEntry.open(ConfigSpace.of(baton, "config"), i + "x".repeat(3_900), Map.of()))
                .toList();
        members.forEach(member -> member.publish(new FleetState(ConfigSource.LIVE, 1, 10, "", 0, true, "")));
        await().until(() -> config.fleet().size() == members.size());
        Canary canary = canaryWith(100_000);
        int record = baton.records("config").get(CanaryRecord.KEY).orElseThrow().value().length;
        config.abort(canary.id());

        assertThatThrownBy(() -> canaryWith(record + 2_499))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("the canary is too large: ")
                .hasMessageContaining("the 5 processes that try it")
                .hasMessageEndingWith("takes " + (record + 2_500) + " bytes, and this store takes " + (record + 2_499));

        String id = canaryWith(record + 2_500).id();
        try (Coordinator small = Coordinator.connect(limited(record + 2_500), CoordinatorOptions.defaults());
                CanaryHold hold = new CanaryHold(ConfigSpace.of(small, "config"))) {
            hold.hold(id, "\u0001".repeat(1_000));
            await().until(() -> !config.canary().orElseThrow().held().isEmpty());
        }
        members.forEach(FleetEntry::close);
    }

    @Test
    void write_recordThatIsTooLarge_failsInTheFuture() {
        ConfigSpace space = ConfigSpace.of(baton, "config");
        byte[] large = new byte[baton.guarantees().maxBytes() + 1];

        CompletableFuture<Boolean> written =
                space.write(List.of(), List.of(Op.put(new RecordKey("config", "large"), large)));

        assertThat(written)
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableThat()
                .withCauseInstanceOf(IllegalArgumentException.class);
    }
}
