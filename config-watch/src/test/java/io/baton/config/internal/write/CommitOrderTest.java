package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.OutcomeUnknownException;
import io.baton.config.Canary;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigStore;
import io.baton.config.HookedStore;
import io.baton.config.KeyChange;
import io.baton.config.LiveConfig;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.rollout.CanaryHold;
import io.baton.memory.MemoryStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes between whose reading and writing something happens, or whose answer is lost: in every order. */
@Timeout(60)
class CommitOrderTest {

    private static final String STORE = "commit-order";

    /** What happens between: with this client, while the other one waits. */
    private interface Deed {
        void happens() throws InterruptedException;
    }

    private final List<HookedStore.Hook> hooks = new ArrayList<>();
    private HookedStore.Reads reads = (key, read) -> read.apply(key);
    private Coordinator other;
    private Coordinator baton;
    private ConfigStore theirs;
    private ConfigStore ours;

    @BeforeEach
    void open() throws InterruptedException {
        other = Coordinator.connect("mem:" + STORE);
        theirs = ConfigStore.of(other);
        theirs.edit().put("a", "0").commit();
        var store = new HookedStore(
                MemoryStore.named(STORE),
                n -> n <= hooks.size() ? hooks.get(n - 1) : Supplier::get,
                (key, read) -> reads.read(key, read));
        baton = Coordinator.connect(store, CoordinatorOptions.defaults());
        ours = ConfigStore.of(baton);
    }

    @AfterEach
    void close() {
        baton.close();
        other.close();
        MemoryStore.drop(STORE);
    }

    private static HookedStore.Hook after(Deed deed) {
        return transaction -> {
            does(deed);
            return transaction.get();
        };
    }

    private static CompletionStage<Boolean> unknown() {
        return CompletableFuture.failedFuture(new OutcomeUnknownException("the answer is lost"));
    }

    private static void does(Deed deed) {
        try {
            deed.happens();
        } catch (InterruptedException asked) {
            throw new AssertionError(asked);
        }
    }

    private List<String> texts(String key) throws InterruptedException {
        return ours.history(100).stream()
                .flatMap(entry -> entry.changes().stream())
                .filter(change -> change.key().equals(key))
                .map(change -> change.now().orElse("(none)"))
                .toList();
    }

    @Test
    void commit_othersChangeBetween_isTheNextOne() throws InterruptedException {
        hooks.add(after(() -> theirs.edit().put("b", "theirs").commit()));

        ConfigCommit commit = ours.edit().put("a", "ours").commit();

        assertThat(commit.change()).isEqualTo(3);
        assertThat(texts("b")).containsExactly("theirs");
        assertThat(texts("a")).containsExactly("ours", "0");
    }

    @Test
    void commit_othersWriteTheKeyWithoutBatonBetween_historyHasWhatWasThere() throws InterruptedException {
        hooks.add(after(() -> other.records("config").put("a", "by hand".getBytes(StandardCharsets.UTF_8))));

        ours.edit().put("a", "ours").commit();

        assertThat(ours.history(1).get(0).changes())
                .containsExactly(new KeyChange("a", Optional.of("by hand"), Optional.of("ours"), false));
    }

    @Test
    void commit_expectedKeyWrittenBetween_isRefusedAndNothingIsWritten() throws InterruptedException {
        long revision = ours.get("a").orElseThrow().revision();
        hooks.add(after(() -> other.records("config").put("a", "by hand".getBytes(StandardCharsets.UTF_8))));

        assertThatThrownBy(
                        () -> ours.edit().put("b", "ours").expect("a", revision).commit())
                .isInstanceOf(ConfigConflictException.class);
        assertThat(ours.get("b")).isEmpty();
    }

    @Test
    void commit_keyThatStaysAsItIsWrittenBetween_isAsItSaysAtItsRevision() throws InterruptedException {
        hooks.add(after(() -> other.records("config").put("a", "by hand".getBytes(StandardCharsets.UTF_8))));

        ours.edit().put("a", "0").put("b", "ours").commit();

        assertThat(ours.get("a").orElseThrow().text()).isEqualTo("0");
        assertThat(texts("a")).containsExactly("0", "0");
    }

    @Test
    void commit_retentionAndMarksChangedBetween_areKept() throws InterruptedException {
        hooks.add(after(() -> {
            theirs.retain(2);
            // Changes that have no place in the history, and take no number.
            theirs.edit().put("c", "theirs").secret("a").canary(Map.of(), 10);
        }));

        ours.edit().put("a", "ours").commit();
        ours.edit().put("b", "ours").commit();

        assertThat(ours.history(100)).hasSize(2);
        assertThat(ours.get("a").orElseThrow().secret()).isTrue();
    }

    @Test
    void commit_lostAndNumberTakenByAnother_isWrittenOnceAfterIt() throws InterruptedException {
        hooks.add(transaction -> {
            does(() -> theirs.edit().put("b", "theirs").commit());
            return unknown();
        });

        ConfigCommit commit = ours.edit().put("a", "ours").commit();

        assertThat(commit.change()).isEqualTo(3);
        assertThat(texts("a")).containsExactly("ours", "0");
    }

    @Test
    void commit_answerLostAndOthersHaveWrittenSince_isTheOneWithItsId() throws InterruptedException {
        hooks.add(transaction -> transaction.get().thenCompose(applied -> {
            does(() -> theirs.edit().put("a", "theirs").commit());
            return unknown();
        }));

        ConfigCommit commit = ours.edit().put("a", "ours").commit();

        assertThat(commit.change()).isEqualTo(2);
        assertThat(texts("a")).containsExactly("theirs", "ours", "0");
        assertThat(commit.revision()).isEqualTo(ours.change(2).orElseThrow().revision());
    }

    @Test
    void commit_firstAttemptAppliedJustBeforeTheSecond_isWrittenOnce() throws InterruptedException {
        List<Supplier<CompletionStage<Boolean>>> late = new ArrayList<>();
        hooks.add(transaction -> {
            late.add(transaction);
            return unknown();
        });
        hooks.add(transaction -> {
            var first = late.get(0).get();
            return first.thenCombine(transaction.get(), (one, two) -> two);
        });

        ConfigCommit commit = ours.edit().put("a", "ours").commit();

        assertThat(commit.change()).isEqualTo(2);
        assertThat(texts("a")).containsExactly("ours", "0");
    }

    @Test
    void commit_firstAttemptAppliedJustAfterTheSecond_isWrittenOnce() throws InterruptedException {
        List<Supplier<CompletionStage<Boolean>>> late = new ArrayList<>();
        hooks.add(transaction -> {
            late.add(transaction);
            return unknown();
        });
        hooks.add(transaction ->
                transaction.get().thenCompose(applied -> late.get(0).get().thenApply(again -> applied)));

        ConfigCommit commit = ours.edit().put("a", "ours").commit();

        assertThat(commit.change()).isEqualTo(2);
        assertThat(texts("a")).containsExactly("ours", "0");
    }

    @Test
    void commit_firstAttemptAppliedWhileTheSecondReads_isWrittenOnce() throws InterruptedException {
        long revision = ours.get("a").orElseThrow().revision();
        List<Supplier<CompletionStage<Boolean>>> late = new ArrayList<>();
        CompletableFuture<Boolean> headRead = new CompletableFuture<>();
        // The key is read after the head, and between these two the first attempt is applied.
        reads = (key, read) -> {
            if (late.isEmpty() || headRead.isDone()) {
                return read.apply(key);
            }
            if (key.name().equals("a")) {
                return headRead.thenCompose(then -> late.get(0).get()).thenCompose(applied -> read.apply(key));
            }
            return read.apply(key).whenComplete((head, failure) -> headRead.complete(true));
        };
        hooks.add(transaction -> {
            late.add(transaction);
            return unknown();
        });

        ConfigCommit commit = ours.edit().put("a", "ours").expect("a", revision).commit();

        assertThat(commit.change()).isEqualTo(2);
        assertThat(headRead).isDone();
        assertThat(texts("a")).containsExactly("ours", "0");
    }

    @Test
    void commit_answerLostAndNoLongerKept_outcomeIsUnknown() throws InterruptedException {
        hooks.add(transaction -> transaction.get().thenCompose(applied -> {
            does(() -> {
                theirs.retain(1);
                theirs.edit().put("b", "theirs").commit();
            });
            return unknown();
        }));

        assertThatThrownBy(() -> ours.edit().put("a", "ours").commit())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("change 2");
        assertThat(texts("a")).isEmpty();
    }

    @Test
    void commit_writtenAndNoLongerKept_revisionIsThatOfALaterOne() throws InterruptedException {
        theirs.retain(1);
        hooks.add(transaction -> transaction.get().thenApply(applied -> {
            does(() -> theirs.edit().put("b", "theirs").commit());
            return applied;
        }));

        ConfigCommit commit = ours.edit().put("a", "ours").commit();

        assertThat(commit.change()).isEqualTo(2);
        assertThat(commit.revision()).isEqualTo(ours.change(3).orElseThrow().revision());
    }

    @Test
    void canary_answerLost_isTheOneThatStands() throws InterruptedException {
        hooks.add(transaction -> transaction.get().thenCompose(applied -> unknown()));

        Canary canary = ours.edit().put("a", "ours").canary(Map.of(), 10);

        assertThat(ours.canary()).contains(canary);
    }

    /** An instance that tries whatever begins from now on. */
    private void follow() throws InterruptedException {
        LiveConfig unused = LiveConfig.builder(other).instance("web").open();
        await().until(() -> theirs.fleet().size() == 1);
    }

    @Test
    void canary_keyWrittenBetween_isOfWhatIsThere() throws InterruptedException {
        follow();
        hooks.add(after(() -> theirs.edit().put("a", "theirs").commit()));

        Canary canary = ours.edit().put("a", "ours").canary(Map.of(), 100);

        assertThat(canary.changes().get(0).before()).contains("theirs");
        assertThat(ours.promote(canary.id()).change()).isEqualTo(3);
    }

    @Test
    void promote_answerLost_isWrittenOnce() throws InterruptedException {
        follow();
        Canary canary = ours.edit().put("a", "ours").canary(Map.of(), 100);
        hooks.add(Supplier::get);
        hooks.add(transaction -> transaction.get().thenCompose(applied -> unknown()));

        assertThat(ours.promote(canary.id()).change()).isEqualTo(2);
        assertThat(texts("a")).containsExactly("ours", "0");
    }

    @Test
    void promote_heldBetween_isRefused() throws InterruptedException {
        Canary canary = ours.edit().put("a", "ours").canary(Map.of(), 10);
        hooks.add(Supplier::get);
        hooks.add(after(() -> {
            new CanaryHold(ConfigSpace.of(other, "config")).hold(canary.id(), "no");
            while (theirs.canary().orElseThrow().held().isEmpty()) {
                Thread.onSpinWait();
            }
        }));

        assertThatThrownBy(() -> ours.promote(canary.id())).isInstanceOf(ConfigConflictException.class);
        assertThat(texts("a")).containsExactly("0");
    }

    @Test
    void abort_answerLost_isOver() throws InterruptedException {
        Canary canary = ours.edit().put("a", "ours").canary(Map.of(), 10);
        hooks.add(Supplier::get);
        hooks.add(transaction -> transaction.get().thenCompose(applied -> unknown()));

        ours.abort(canary.id());

        assertThat(ours.canary()).isEmpty();
    }

    @Test
    void retain_answerLostAndOthersWriteBetween_isKept() throws InterruptedException {
        hooks.add(transaction -> transaction.get().thenCompose(applied -> unknown()));
        hooks.add(after(() -> theirs.edit().put("a", "1").commit()));

        ours.retain(2);
        ours.retain(1);

        assertThat(ours.history(10)).hasSize(1);
    }
}
