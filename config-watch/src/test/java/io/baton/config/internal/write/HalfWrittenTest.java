package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.config.ConfigCommit;
import io.baton.config.ConfigStore;
import io.baton.config.HookedStore;
import io.baton.config.Rig;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.Space;
import io.baton.internal.client.DefaultCoordinator;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What is said of a write that was applied, if the store does not answer from then on; in virtual time. */
class HalfWrittenTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private CoordinationException failure = new StoreUnavailableException("no answer");
    private boolean failsAfterTheNext;
    private boolean failing;
    private final Rig rig = new Rig("half-written");
    private final DefaultCoordinator baton = DefaultCoordinator.start(
            new HookedStore(
                    rig.store,
                    number -> this::transact,
                    (key, read) -> failing ? CompletableFuture.failedFuture(failure) : read.apply(key)),
            rig.loop,
            rig.loop,
            CoordinatorOptions.builder().client("half").build());
    private final ConfigStore config = ConfigStore.of(baton);

    private CompletionStage<Boolean> transact(Supplier<CompletionStage<Boolean>> transaction) {
        if (failing) {
            return CompletableFuture.failedFuture(failure);
        }
        failing = failsAfterTheNext;
        return transaction.get();
    }

    private CompletableFuture<ConfigCommit> commit(String text) {
        CompletableFuture<ConfigCommit> commit =
                config.edit().put("a", text).author("me").timeout(LIMIT).commitAsync();
        rig.pass(Duration.ofSeconds(1));
        return commit;
    }

    @Test
    void commit_revisionCannotBeReadInTime_saysThatItWasWritten() {
        assertThat(commit("1")).isCompletedWithValueMatching(done -> done.change() == 1);
        failsAfterTheNext = true;

        CompletableFuture<ConfigCommit> second = commit("2");
        assertThat(second).isNotDone();
        rig.pass(LIMIT);

        assertThatThrownBy(second::join)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageEndingWith(
                        "change 2 of config was written, but its revision could not be read within 10000 ms");
    }

    @Test
    void commit_revisionMayNotBeRead_saysThatItWasWritten() {
        failsAfterTheNext = true;
        failure = new CoordinationException("not allowed");

        assertThatThrownBy(commit("1")::join)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageEndingWith(
                        "change 1 of config was written, but its revision could not be read any more: not allowed");
    }

    @Test
    void retain_excessCannotBeRemovedInTime_saysThatTheLimitsAreWritten() {
        for (int i = 1; i <= 250; i++) {
            assertThat(commit(String.valueOf(i))).isCompleted();
        }
        failsAfterTheNext = true;

        CompletableFuture<Boolean> retained = retain(5);
        rig.pass(LIMIT.plusSeconds(1));

        assertThatThrownBy(retained::join)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageEndingWith(
                        "the limits of the history of config are written, and the same once more removes the"
                                + " 145 changes that could not be removed within 10000 ms");
        failsAfterTheNext = false;
        failing = false;
        CompletableFuture<Boolean> again = retain(5);
        rig.pass(LIMIT);
        assertThat(again).isCompletedWithValue(true);
    }

    @Test
    void retain_nothingIsLeftToRemove_hasEndedWithTheWrite() {
        assertThat(commit("1")).isCompleted();
        failsAfterTheNext = true;

        CompletableFuture<Boolean> retained = retain(5);
        rig.pass(Duration.ofSeconds(1));

        assertThat(retained).isCompletedWithValue(true);
    }

    private CompletableFuture<Boolean> retain(int changes) {
        var space = new Space(ConfigSpace.of(baton, "config"));
        return Retention.of(space, head -> head.retaining(changes, head.retainBytes()), LIMIT);
    }
}
