package io.baton.recipes.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.Subscription;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.RecordAccess;
import io.baton.recipes.Asking;
import io.baton.recipes.NotAnsweredException;
import io.baton.testkit.sim.VirtualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls whose writes are answered, and whose question goes, as the test says. */
@Timeout(60)
class AskRequestTest {

    private static final RecordKey KEY = new RecordKey(Asking.TREE, "snapshot");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final VirtualLoop loop = new VirtualLoop();
    private final Map<RecordKey, Item> records = new HashMap<>();
    private final Map<Object, Object> shared = new HashMap<>();
    private final List<RecordKey> reads = new ArrayList<>();
    private final RecipeContext context = context();
    private final AskingChanges changes =
            new AskingChanges("snapshot", context, new AskingChanges.Limits(Asking.TREE, Asking.TEXTS, 64, 1));
    private int writes;
    private boolean answers = true;
    private Runnable afterAWrite = () -> {};
    private Runnable afterARead = () -> {};

    private RecipeContext context() {
        RecordAccess access = Stub.of(
                RecordAccess.class,
                Map.of(
                        "read",
                        given -> {
                            reads.add((RecordKey) given[0]);
                            var now = Optional.ofNullable(records.get((RecordKey) given[0]));
                            afterARead.run();
                            return CompletableFuture.completedFuture(now);
                        },
                        "observe",
                        given -> (Subscription) () -> {},
                        "writeAndTell",
                        given -> write((List<?>) given[1])));
        return Stub.of(
                RecipeContext.class,
                Map.of(
                        "loop", given -> new ClientLoop(loop),
                        "records", given -> access,
                        "requestTimeout", given -> Duration.ofSeconds(10),
                        "state", given -> SessionState.CONNECTED,
                        "shared", given -> shared.computeIfAbsent(given[0], first -> ((Supplier<?>) given[1]).get()),
                        "beforeClosing", given -> (Subscription) () -> {}));
    }

    private CompletableFuture<Optional<List<Item>>> write(List<?> ops) {
        writes++;
        for (Object op : ops) {
            if (op instanceof Op.Put put) {
                set(put.key(), put.value());
            } else if (op instanceof Op.Delete delete) {
                records.remove(delete.key());
            }
        }
        afterAWrite.run();
        return answers
                ? CompletableFuture.completedFuture(Optional.of(List.of()))
                : CompletableFuture.failedFuture(new OutcomeUnknownException("no answer"));
    }

    private void set(RecordKey key, byte[] value) {
        records.put(key, new Item(key, value, () -> (long) writes));
    }

    private void isOnRecord(String text) {
        set(KEY, text.getBytes(UTF_8));
    }

    private AskRequest ask() {
        return AskRequest.begin(context, changes, "a", new byte[0], MINUTE);
    }

    private static void assertMayHaveBegun(AskRequest request, String why) {
        assertThat(request.outcome()).isDone();
        assertThatThrownBy(() -> Futures.interruptibly(request.outcome()).get())
                .isInstanceOf(NotAnsweredException.class)
                .hasMessageContaining(why)
                .satisfies(thrown -> assertThat(((NotAnsweredException) thrown).mayHaveBegun())
                        .isTrue());
    }

    /** Reading again would say the same, as often as it is done. */
    @Test
    void ask_writeWasNotAnsweredAndTheQuestionHasGone_endsAtOnce() {
        answers = false;
        afterAWrite = () -> isOnRecord("asked=1\n");

        AskRequest request = ask();
        loop.pass(Duration.ofSeconds(10));

        assertMayHaveBegun(request, "it may have been asked and answered");
        assertThat(reads).hasSizeLessThan(10);
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void timeOver_answeredAndForgottenJustThen_isNotAskedAnew() {
        AskRequest request = ask();
        loop.pass(Duration.ofSeconds(1));
        assertThat(writes).isEqualTo(1);
        isOnRecord("asked=1\n1=answered 1 7 60000 call hash a\n");
        records.remove(new RecordKey(Asking.TEXTS, "snapshot/1"));
        afterARead = () -> isOnRecord("asked=70\n");

        loop.pass(MINUTE);

        assertMayHaveBegun(request, "its answer was followed by too many others");
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void withdraw_notAnsweredAndNoQuestionWasForgotten_isKnownToBeWithdrawn() throws InterruptedException {
        isOnRecord("asked=1\n1=asked 0 0 60000 call hash a\n");
        answers = false;

        CompletableFuture<Boolean> withdrawn = changes.withdraw("a");
        loop.pass(Duration.ofSeconds(1));

        assertThat(Futures.interruptibly(withdrawn)).isTrue();
        assertThat(writes).isEqualTo(1);
    }

    @Test
    void withdraw_notAnsweredAndAnswersWereForgotten_isUnknown() {
        isOnRecord("asked=2\n1=answered 1 7 60000 call hash other\n2=asked 0 0 60000 call hash a\n");
        answers = false;

        CompletableFuture<Boolean> withdrawn = changes.withdraw("a");
        loop.pass(Duration.ofSeconds(1));

        assertThatThrownBy(() -> Futures.interruptibly(withdrawn))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("'a' may have been withdrawn, or answered");
    }
}
