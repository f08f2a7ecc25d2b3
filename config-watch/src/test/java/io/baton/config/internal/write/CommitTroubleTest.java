package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigEdit;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigStore;
import io.baton.config.ConfigValue;
import io.baton.config.internal.record.SpaceHead;
import io.baton.memory.MemoryStore;
import io.baton.memory.Outage;
import io.baton.memory.Outage.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes while others write, and while the contact breaks: each is written once, and none over another. */
@Timeout(120)
class CommitTroubleTest {

    private static final String STORE = "commit-trouble";

    private Coordinator baton;
    private Coordinator other;

    @BeforeEach
    void open() throws InterruptedException {
        baton = client("writer");
        other = client("other");
    }

    @AfterEach
    void close() {
        baton.close();
        other.close();
        MemoryStore.drop(STORE);
    }

    private static Coordinator client(String name) throws InterruptedException {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .client(name)
                .requestTimeout(Duration.ofSeconds(2))
                .build();
        return Coordinator.connect("mem:" + STORE, options);
    }

    @Test
    void commit_manyAtOnce_areNumberedInOrderAndNoneIsLost() throws Exception {
        int writers = 16;
        int each = 13;
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        List<Future<List<ConfigCommit>>> all = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            ConfigStore config = ConfigStore.of(i % 2 == 0 ? baton : other);
            all.add(pool.submit(() -> {
                List<ConfigCommit> commits = new ArrayList<>();
                for (int j = 0; j < each; j++) {
                    commits.add(add(config));
                }
                return commits;
            }));
        }
        List<ConfigCommit> commits = new ArrayList<>();
        for (Future<List<ConfigCommit>> one : all) {
            commits.addAll(one.get(60, TimeUnit.SECONDS));
        }
        pool.shutdown();

        int total = writers * each;
        assertThat(commits.stream().map(ConfigCommit::change))
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, total).boxed().toList());
        ConfigStore config = ConfigStore.of(baton);
        assertThat(config.get("sum").orElseThrow().text()).isEqualTo(String.valueOf(total));
        assertThat(config.history(total)).hasSize(total);
        assertThat(config.history(total))
                .allSatisfy(entry -> assertThat(commits).contains(new ConfigCommit(entry.change(), entry.revision())));
    }

    /** Reads, adds one, and writes if nobody has written since: until it has. */
    private static ConfigCommit add(ConfigStore config) throws InterruptedException {
        while (true) {
            Optional<ConfigValue> sum = config.get("sum");
            int next = sum.map(value -> Integer.parseInt(value.text())).orElse(0) + 1;
            try {
                return config.edit()
                        .put("sum", String.valueOf(next))
                        .expect("sum", sum.map(ConfigValue::revision).orElse(0L))
                        .timeout(Duration.ofSeconds(30))
                        .commit();
            } catch (ConfigConflictException again) {
                assertThat(again).hasMessageContaining("written meanwhile");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(When.class)
    void commit_contactBreaksAtAnyRequest_isWrittenOnce(When when) throws InterruptedException {
        ConfigStore config = ConfigStore.of(baton);
        config.edit().put("a", "0").commit();
        int struck = 0;
        for (int n = 1; n <= 8; n++) {
            Outage outage = MemoryStore.named(STORE).outage("writer", when, n);
            long before = ConfigStore.of(other).history(1).get(0).change();

            ConfigCommit commit = config.edit().put("a", String.valueOf(n)).commit();

            struck += outage.triggeredAt().isPresent() ? 1 : 0;
            outage.cancel();
            List<ConfigEntry> last = ConfigStore.of(other).history(1);
            assertThat(commit.change()).as("cut at the %sth", n).isEqualTo(before + 1);
            assertThat(last).extracting(ConfigEntry::change).containsExactly(commit.change());
            assertThat(last).extracting(ConfigEntry::revision).containsExactly(commit.revision());
        }
        assertThat(struck).isGreaterThan(2);
    }

    @Test
    void commit_answerLostAndSomebodyElseHasWrittenSince_isKnownByItsId() throws Exception {
        ConfigStore config = ConfigStore.of(baton);
        // Of a commit: two reads, then the transaction.
        Outage lost = MemoryStore.named(STORE).outage("writer", When.AFTER_REQUEST, transactAt(config));
        ConfigEdit edit = config.edit().put("a", "mine");
        ConfigCommit commit = edit.commit();

        assertThat(lost.triggeredAt()).contains("transact");
        assertThat(config.history(10))
                .filteredOn(entry -> entry.changes().get(0).now().equals(Optional.of("mine")))
                .extracting(ConfigEntry::change)
                .containsExactly(commit.change());
    }

    /** Which of a commit's requests writes. */
    private static int transactAt(ConfigStore config) throws InterruptedException {
        for (int n = 1; n < 10; n++) {
            Outage probe = MemoryStore.named(STORE).outage("writer", When.AFTER_REQUEST, n);
            config.edit().put("probe", "at " + n).commit();
            boolean found = probe.triggeredAt().equals(Optional.of("transact"));
            probe.cancel();
            if (found) {
                return n;
            }
        }
        throw new AssertionError("a commit writes nothing");
    }

    @Test
    void commit_sessionLostMeanwhile_isWrittenOnce() throws InterruptedException {
        ConfigStore config = ConfigStore.of(baton);
        for (int i = 0; i < 8; i++) {
            var commit = config.edit().put("a", String.valueOf(i)).commitAsync();
            MemoryStore.named(STORE).expireSessions("writer");
            assertThat(commit)
                    .succeedsWithin(Duration.ofSeconds(20))
                    .satisfies(done -> assertThat(done.change()).isPositive());
        }
        assertThat(config.history(100))
                .extracting(entry -> entry.changes().get(0).now().orElseThrow())
                .containsExactlyElementsOf(LongStream.iterate(7, i -> i >= 0, i -> i - 1)
                        .mapToObj(String::valueOf)
                        .toList());
    }

    @Test
    void commit_noContact_saysThatNothingWasWritten() {
        MemoryStore.named(STORE).suspend("writer");

        assertThatThrownBy(() -> ConfigStore.of(baton)
                        .edit()
                        .put("a", "1")
                        .timeout(Duration.ofMillis(100))
                        .commit())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("nothing was written");
        MemoryStore.named(STORE).resume();
    }

    @Test
    void commit_coordinatorClosedMeanwhile_ends() throws InterruptedException {
        ConfigStore config = ConfigStore.of(baton);
        MemoryStore.named(STORE).suspend("writer");
        var commit = config.edit().put("a", "1").commitAsync();

        baton.close();

        assertThat(commit).failsWithin(Duration.ofSeconds(20));
        assertThatThrownBy(() -> config.edit().put("a", "1").commit()).hasMessageContaining("closed");
    }

    @Test
    void commit_headRemovedByAnother_historyGoesOnAndSecretsStaySecret() throws InterruptedException {
        ConfigStore config = ConfigStore.of(baton);
        config.edit().put("a", "1").put("password", "x").secret("password").commit();
        config.edit().put("a", "2").commit();
        assertThat(baton.transact(
                        List.of(), List.of(Op.delete(baton.records("config").key(SpaceHead.KEY)))))
                .isTrue();

        ConfigCommit commit = config.edit().put("a", "3").commit();

        assertThat(commit.change()).isEqualTo(3);
        assertThat(config.get("password").orElseThrow().secret()).isTrue();
        assertThat(config.history(5)).hasSize(3);
    }

    @Test
    void commit_answerNeverComes_outcomeIsUnknown() throws InterruptedException {
        ConfigStore config = ConfigStore.of(baton);
        int at = transactAt(config);
        Outage lost = MemoryStore.named(STORE).outage("writer", When.AFTER_REQUEST, at);
        var commit = config.edit().put("a", "1").timeout(Duration.ofMillis(300)).commitAsync();
        while (lost.triggeredAt().isEmpty()) {
            Thread.onSpinWait();
        }
        MemoryStore.named(STORE).suspend("writer");

        assertThat(commit.handle((done, failure) -> failure == null || failure instanceof OutcomeUnknownException))
                .succeedsWithin(Duration.ofSeconds(20))
                .isEqualTo(true);
        MemoryStore.named(STORE).resume();
    }

    @Test
    void list_sessionsLostMeanwhile_isAnswered() throws InterruptedException {
        ConfigStore config = ConfigStore.of(baton);
        config.edit().put("a", "1").commit();
        for (When when : List.of(When.BEFORE_REQUEST, When.AFTER_REQUEST, When.BEFORE_NOTIFICATION)) {
            Outage outage = MemoryStore.named(STORE).outage("writer", when, 1);
            MemoryStore.named(STORE).expireSessions("writer");

            assertThat(config.list("").keySet()).containsExactly("a");
            outage.cancel();
        }
        baton.close();
        assertThatThrownBy(() -> config.list("")).hasMessageContaining("closed");
    }
}
