package io.baton.recipes.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import io.baton.Item;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls whose writes are answered, and whose question goes, as the test says. */
@Timeout(60)
class AskRequestTest {

    private static final RecordKey KEY = new RecordKey(Asking.TREE, "snapshot");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** The hash of a question without text. */
    private static final String NO_TEXT =
            Hashing.murmur3_128().hashBytes(new byte[0]).toString();

    private final VirtualLoop loop = new VirtualLoop();
    private final Map<RecordKey, Item> records = new HashMap<>();
    private final Map<Object, Object> shared = new HashMap<>();
    private final List<RecordKey> reads = new ArrayList<>();
    private final RecipeContext context = context();
    private final AskingChanges changes =
            new AskingChanges("snapshot", context, new AskingChanges.Limits(Asking.TREE, Asking.TEXTS, 64, 1));
    private final List<String> troubles = new ArrayList<>();
    private Duration requestTimeout = Duration.ofSeconds(10);
    private int writes;
    private int refusals;
    private boolean takesWrites = true;
    private final Set<String> unreadable = new HashSet<>();
    private boolean answers = true;
    private Runnable afterAWrite = () -> {};
    private Runnable afterARead = () -> {};

    private RecipeContext context() {
        RecordAccess access = Stub.of(
                RecordAccess.class,
                Map.of(
                        "read",
                        given -> read((RecordKey) given[0]),
                        "observe",
                        given -> (Subscription) () -> {},
                        "writeAndTell",
                        given -> write((List<?>) given[1])));
        return Stub.of(
                RecipeContext.class,
                Map.of(
                        "loop", given -> new ClientLoop(loop),
                        "records", given -> access,
                        "requestTimeout", given -> requestTimeout,
                        "state", given -> SessionState.CONNECTED,
                        "inContact", given -> true,
                        "reportTrouble", given -> troubles.add((String) given[0]),
                        "resolveTrouble", given -> troubles.removeIf(given[0]::equals),
                        "shared", given -> shared.computeIfAbsent(given[0], first -> ((Supplier<?>) given[1]).get()),
                        "beforeClosing", given -> (Subscription) () -> {}));
    }

    private CompletableFuture<Optional<Item>> read(RecordKey key) {
        reads.add(key);
        if (unreadable.contains(key.tree())) {
            refusals++;
            return CompletableFuture.failedFuture(new StoreUnavailableException("too busy"));
        }
        Optional<Item> now = Optional.ofNullable(records.get(key));
        afterARead.run();
        return CompletableFuture.completedFuture(now);
    }

    private CompletableFuture<Optional<List<Item>>> write(List<?> ops) {
        if (!takesWrites) {
            refusals++;
            return CompletableFuture.failedFuture(new StoreUnavailableException("there is no space"));
        }
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
        return ask(MINUTE);
    }

    private AskRequest ask(Duration timeout) {
        return AskRequest.begin(context, changes, "a", new byte[0], timeout);
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
    void ask_storeTakesNoWrites_isReportedAndTriedEverMoreSeldom() {
        takesWrites = false;
        requestTimeout = Duration.ofMillis(1);

        AskRequest request = ask(Duration.ofDays(1));
        loop.pass(Duration.ofMinutes(10));

        assertThat(troubles).contains("Cannot ask questions of asking 'snapshot'");
        assertThat(refusals).isLessThan(100);
        takesWrites = true;
        loop.pass(MINUTE);
        assertThat(troubles).isEmpty();
        assertThat(writes).isEqualTo(1);
        assertThat(request.outcome()).isNotDone();
    }

    @Test
    void ask_storeDoesNotGiveTheAnswer_isReportedAndTriedEverMoreSeldom() {
        isOnRecord("asked=1\n1=answered 1 7 60000 call " + NO_TEXT + " a\n");
        unreadable.add(Asking.TEXTS);
        requestTimeout = Duration.ofMillis(1);

        AskRequest request = ask(Duration.ofDays(1));
        loop.pass(Duration.ofMinutes(10));

        assertThat(troubles).contains("Cannot ask questions of asking 'snapshot'");
        assertThat(refusals).isLessThan(100);
        unreadable.clear();
        set(new RecordKey(Asking.TEXTS, "snapshot/1"), new byte[0]);
        loop.pass(MINUTE);
        assertThat(troubles).isEmpty();
        assertThat(request.outcome()).isCompleted();
    }

    @Test
    void timeOver_betweenTwoAttempts_endsAtOnceAsNotAsked() {
        takesWrites = false;
        requestTimeout = Duration.ofMillis(1);
        AskRequest request = ask(Duration.ofDays(1));
        loop.pass(Duration.ofMinutes(10));

        request.giveUp();
        loop.pass(Duration.ofMillis(1));

        assertThatThrownBy(() -> Futures.interruptibly(request.outcome()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("there is no space");
        assertThat(troubles).isEmpty();
        int refused = refusals;
        loop.pass(MINUTE);
        assertThat(refusals).isEqualTo(refused);
    }

    @Test
    void timeOver_anotherCallIsStillRefused_staysReportedUntilThatEnds() {
        takesWrites = false;
        requestTimeout = Duration.ofMillis(1);
        AskRequest stays = ask(Duration.ofDays(1));
        AskRequest ends = ask(Duration.ofDays(1));
        loop.pass(Duration.ofMinutes(10));

        ends.giveUp();
        loop.pass(Duration.ofMillis(1));

        assertThat(ends.outcome()).isCompletedExceptionally();
        assertThat(troubles).contains("Cannot ask questions of asking 'snapshot'");

        stays.giveUp();
        loop.pass(Duration.ofMillis(1));

        assertThat(stays.outcome()).isCompletedExceptionally();
        assertThat(troubles).isEmpty();
    }

    @Test
    void ask_callsEndBeforeTheirThirdRefusal_areReportedTogetherUntilAWriteSucceeds() {
        takesWrites = false;
        requestTimeout = Duration.ofMillis(1);
        for (int call = 0; call < 3; call++) {
            AskRequest request = ask(Duration.ofDays(1));
            loop.pass(Duration.ofMillis(50));
            if (call < 2) {
                request.giveUp();
                loop.pass(Duration.ofMillis(1));
            }
        }
        assertThat(troubles).contains("Cannot ask questions of asking 'snapshot'");

        takesWrites = true;
        loop.pass(MINUTE);

        assertThat(troubles).isEmpty();
        takesWrites = false;
        ask();
        loop.pass(Duration.ofMillis(50));
        assertThat(troubles).isEmpty();
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
