package io.baton.recipes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.LockLostException;
import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.Trouble;
import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AskingTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);

    private String uri;
    private Coordinator baton;
    private Asking asking;

    @BeforeEach
    void connect(TestInfo test) throws InterruptedException {
        uri = "mem:asking-" + test.getDisplayName();
        baton = Coordinator.connect(uri);
        asking = Asking.named(baton, "snapshot");
    }

    @AfterEach
    void close() {
        baton.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(PATIENCE);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private String ask(String id, String text) throws InterruptedException {
        return new String(asking.ask(id, bytes(text), PATIENCE), UTF_8);
    }

    private CompletableFuture<byte[]> askAsync(String id) {
        return asking.askAsync(id, bytes("text of " + id), PATIENCE);
    }

    private Subscription echoing(List<String> served) {
        return asking.serve(question -> {
            served.add(question.id());
            return bytes("done: " + question.text());
        });
    }

    private List<String> ids(State state) throws InterruptedException {
        return asking.questions().stream()
                .filter(each -> each.state() == state)
                .map(StandingQuestion::id)
                .toList();
    }

    private int texts() throws InterruptedException {
        return baton.records(Asking.TEXTS).list("").size();
    }

    @Test
    void ask_served_getsTheAnswer() throws InterruptedException {
        List<String> served = new CopyOnWriteArrayList<>();
        try (Subscription serving = echoing(served)) {
            assertThat(ask("order-1", "one")).isEqualTo("done: one");
            assertThat(asking.ask(bytes("without an id"), PATIENCE)).isEqualTo(bytes("done: without an id"));
            assertThat(asking.askAsync(new byte[0], PATIENCE)).succeedsWithin(PATIENCE);
        }
        assertThat(served).hasSize(3);
        assertThat(baton.lock("asking/snapshot").queue()).isEmpty();
    }

    @Test
    void ask_again_isTheSameQuestion() throws InterruptedException {
        List<String> served = new CopyOnWriteArrayList<>();
        CompletableFuture<byte[]> first = askAsync("a");
        CompletableFuture<byte[]> again = askAsync("a");
        soon().until(() -> ids(State.ASKED).equals(List.of("a")));
        try (Subscription serving = echoing(served)) {
            assertThat(first).succeedsWithin(PATIENCE).isEqualTo(bytes("done: text of a"));
            assertThat(again).succeedsWithin(PATIENCE).isEqualTo(bytes("done: text of a"));
        }
        assertThat(askAsync("a")).as("nobody serves any more").succeedsWithin(PATIENCE);
        assertThat(served).containsExactly("a");
        assertThatThrownBy(() -> ask("a", "another text"))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("'a' of asking 'snapshot' is on record with another text");
    }

    @Test
    void ask_severalBeforeAnybodyServes_areServedInTheirOrder() {
        List<String> served = new CopyOnWriteArrayList<>();
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (String id : List.of("c", "a", "b")) {
            all.add(askAsync(id));
            soon().until(() -> ids(State.ASKED).contains(id));
        }
        try (Subscription serving = echoing(served)) {
            all.forEach(each -> assertThat(each).succeedsWithin(PATIENCE));
        }
        assertThat(served).containsExactly("c", "a", "b");
    }

    @Test
    void handler_throws_isAnAnswer() throws InterruptedException {
        var calls = new AtomicInteger();
        try (Subscription serving = asking.serve(question -> {
            calls.incrementAndGet();
            throw new IllegalStateException("no snapshot of " + question.text());
        })) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> ask("a", "x"))
                        .isInstanceOf(QuestionFailedException.class)
                        .hasMessageContaining("no snapshot of x");
            }
            assertThat(askAsync("b")).failsWithin(PATIENCE);
        }
        assertThat(calls).hasValue(2);
        assertThat(ids(State.FAILED)).containsExactly("a", "b");
    }

    @Test
    void handler_throwsWhatCannotBePrinted_isAnAnswerAndTheNextQuestionIsServed() throws InterruptedException {
        try (Subscription serving = asking.serve(question -> {
            throw switch (question.text()) {
                case "message" -> new BrokenMessage();
                case "unknown" -> new OutcomeUnknownException("not acknowledged", new BrokenMessage());
                default -> new NoText();
            };
        })) {
            assertThatThrownBy(() -> ask("a", "message"))
                    .isInstanceOf(QuestionFailedException.class)
                    .hasMessageContaining(BrokenMessage.class.getName());
            assertThatThrownBy(() -> ask("b", "text"))
                    .isInstanceOf(QuestionFailedException.class)
                    .hasMessageContaining(NoText.class.getName());
            CompletableFuture<byte[]> unknown = asking.askAsync("c", bytes("unknown"), PATIENCE);
            soon().until(() -> asking.questions().stream().anyMatch(each -> each.attempts() > 1));
            assertThat(unknown).isNotDone();
        }
    }

    private static final class BrokenMessage extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("on purpose");
        }
    }

    private static final class NoText extends RuntimeException {

        private static final long serialVersionUID = 1;

        @Override
        @SuppressWarnings("NullAway")
        public String toString() {
            return null;
        }
    }

    @Test
    void handler_answersNonsense_isAFailure() {
        try (Subscription serving = asking.serve(
                question -> question.text().isEmpty() ? null : new byte[Integer.parseInt(question.text())])) {
            assertThatThrownBy(() -> ask("large", "8193"))
                    .isInstanceOf(QuestionFailedException.class)
                    .hasMessageContaining("the answer has 8193 bytes; it may have 8192");
            assertThatThrownBy(() -> ask("null", ""))
                    .isInstanceOf(QuestionFailedException.class)
                    .hasMessageContaining("the handler has returned null");
            assertThatThrownBy(() -> ask("thrown", "x".repeat(8180))).isInstanceOf(QuestionFailedException.class);
            assertThat(asking.askAsync("largest", bytes("8192"), PATIENCE)).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void ask_nobodyServes_isWithdrawn() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> asking.ask("a", bytes("x"), SHORT))
                    .isInstanceOf(NotAnsweredException.class)
                    .hasMessageContaining(
                            "question 'a' of asking 'snapshot' was not answered within 300 ms: no process")
                    .satisfies(thrown -> assertThat(((NotAnsweredException) thrown).mayHaveBegun())
                            .isFalse());
        }
        assertThat(asking.questions()).isEmpty();
        assertThat(texts()).isZero();
    }

    @Test
    void ask_handlerTakesLonger_saysThatItHasBegunAndTheAnswerIsKept() throws Exception {
        var finish = new CountDownLatch(1);
        try (Subscription serving = asking.serve(question -> {
            finish.await();
            return bytes("late");
        })) {
            CompletableFuture<byte[]> waiting = askAsync("a");
            soon().until(() -> ids(State.BEGUN).equals(List.of("a")));

            assertThatThrownBy(() -> asking.ask("a", bytes("text of a"), SHORT))
                    .isInstanceOf(NotAnsweredException.class)
                    .satisfies(thrown -> assertThat(((NotAnsweredException) thrown).mayHaveBegun())
                            .isTrue());
            assertThat(asking.withdraw("a")).isFalse();
            finish.countDown();

            assertThat(waiting).succeedsWithin(PATIENCE).isEqualTo(bytes("late"));
            assertThat(askAsync("a")).succeedsWithin(PATIENCE).isEqualTo(bytes("late"));
        }
    }

    @Test
    void askAsync_cancelled_isWithdrawnUnlessALaterCallAsks() throws InterruptedException {
        CompletableFuture<byte[]> first = askAsync("a");
        soon().until(() -> ids(State.ASKED).contains("a"));
        Item before = baton.records(Asking.TREE).get("snapshot").orElseThrow();
        CompletableFuture<byte[]> second = askAsync("a");
        soon().until(() ->
                !baton.records(Asking.TREE).get("snapshot").orElseThrow().text().equals(before.text()));
        first.cancel(true);
        assertThat(askAsync("b")).isNotDone();
        soon().until(() -> ids(State.ASKED).equals(List.of("a", "b")));

        second.cancel(true);

        soon().until(() -> ids(State.ASKED).equals(List.of("b")));
        assertThat(asking.withdraw("b")).isTrue();
        assertThat(asking.withdraw("b")).isFalse();
        soon().until(() -> texts() == 0);
    }

    @Test
    void ask_aSecondCallWaitsForLess_theFirstIsStillAnswered() throws InterruptedException {
        CompletableFuture<byte[]> first = askAsync("a");
        soon().until(() -> ids(State.ASKED).equals(List.of("a")));

        assertThatThrownBy(() -> asking.ask("a", bytes("text of a"), SHORT))
                .isInstanceOf(NotAnsweredException.class)
                .hasMessageContaining("another call has asked it");
        assertThat(ids(State.ASKED)).containsExactly("a");

        try (Subscription serving = echoing(new CopyOnWriteArrayList<>())) {
            assertThat(first).succeedsWithin(PATIENCE).isEqualTo(bytes("done: text of a"));
        }
    }

    @Test
    void askAsync_bothCallsCancelled_isWithdrawn() throws InterruptedException {
        CompletableFuture<byte[]> first = askAsync("a");
        soon().until(() -> calls() == 1);
        CompletableFuture<byte[]> second = askAsync("a");
        soon().until(() -> calls() == 2);

        second.cancel(true);
        soon().until(() -> calls() == 1);
        assertThat(ids(State.ASKED)).containsExactly("a");
        first.cancel(true);

        soon().until(() -> asking.questions().isEmpty());
        soon().until(() -> texts() == 0);
    }

    /** Returns how many calls wait for the only question. */
    private int calls() throws InterruptedException {
        return baton.records(Asking.TREE)
                .get("snapshot")
                .map(item -> item.text().split(" ", -1))
                .map(parts -> parts[4].split("\\+", -1).length)
                .orElse(0);
    }

    @Test
    void handler_doesNotKnowWhatItDid_isCalledAgainUnderAnotherHold() throws InterruptedException {
        List<RuntimeException> thrown = List.of(
                new OutcomeUnknownException("no answer"),
                new StoreUnavailableException("no contact"),
                new SessionLostException("it has ended"),
                new CompletionException(new LockLostException("it was lost")));
        List<Long> tokens = new CopyOnWriteArrayList<>();
        try (Subscription serving = asking.serve(question -> {
            tokens.add(question.token());
            if (question.attempt() <= thrown.size()) {
                throw thrown.get(question.attempt() - 1);
            }
            return bytes("done");
        })) {
            assertThat(ask("a", "x")).isEqualTo("done");
        }
        assertThat(tokens).hasSize(thrown.size() + 1).isSorted().doesNotHaveDuplicates();
        assertThat(baton.trouble()).isEmpty();
    }

    @Test
    void handler_closesItsHold_theQuestionIsBegunAgainAndTheNextOneServed() throws InterruptedException {
        try (Subscription serving = asking.serve(question -> {
            if (question.id().equals("a") && question.attempt() == 1) {
                question.hold().close();
            }
            return bytes("attempt " + question.attempt());
        })) {
            assertThat(ask("a", "x")).isEqualTo("attempt 2");
            assertThat(ask("b", "x")).isEqualTo("attempt 1");
        }
    }

    @Test
    void handler_closesItsHoldEachTime_isCalledEverMoreSeldomAndReported() {
        var closes = new AtomicBoolean(true);
        var calls = new AtomicInteger();
        try (Subscription serving = asking.serve(question -> {
            calls.incrementAndGet();
            if (closes.get()) {
                question.hold().close();
            }
            return bytes("done");
        })) {
            CompletableFuture<byte[]> answer = askAsync("a");
            soon().untilAsserted(() -> assertThat(baton.trouble())
                    .extracting(Trouble::what)
                    .contains("Cannot answer questions of asking 'snapshot'"));
            assertThat(calls.get()).isBetween(3, 10);

            closes.set(false);

            assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(bytes("done"));
            soon().until(() -> baton.trouble().isEmpty());
        }
    }

    /** As one of another store that the handler uses. */
    @Test
    void handler_usesAClosedCoordinator_isAnAnswer() throws InterruptedException {
        Coordinator closed = Coordinator.connect(uri);
        closed.close();
        try (Subscription serving =
                asking.serve(question -> bytes(closed.lock("x").acquire().toString()))) {
            assertThatThrownBy(() -> ask("a", "x"))
                    .isInstanceOf(QuestionFailedException.class)
                    .hasMessageContaining("CoordinatorClosedException");
        }
    }

    @Test
    void handler_doesNotKnowAndAnotherServerAnswers_isNoTroubleAnyMore() throws InterruptedException {
        try (Subscription serving = asking.serve(question -> {
                    throw new StoreUnavailableException("no contact");
                });
                Coordinator other = Coordinator.connect(uri)) {
            CompletableFuture<byte[]> answer = askAsync("a");
            soon().until(() -> !baton.trouble().isEmpty());

            try (Subscription second = Asking.named(other, "snapshot").serve(question -> bytes("done"))) {
                assertThat(answer).succeedsWithin(PATIENCE).isEqualTo(bytes("done"));
                soon().until(() -> baton.trouble().isEmpty());
            }
        }
    }

    @Test
    void ask_interrupted_ends() {
        var thrown = new CompletableFuture<Throwable>();
        Thread waiting = new Thread(() -> {
            try {
                thrown.completeExceptionally(new AssertionError(ask("a", "x")));
            } catch (Throwable expected) {
                thrown.complete(expected);
            }
        });
        waiting.start();
        soon().until(() -> ids(State.ASKED).equals(List.of("a")));

        waiting.interrupt();

        assertThat(thrown).succeedsWithin(PATIENCE).isInstanceOf(InterruptedException.class);
        soon().until(() -> asking.questions().isEmpty());
    }

    @Test
    void ask_moreThanThereMayBe_waitForRoom() throws InterruptedException {
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < Asking.MAX_UNANSWERED; i++) {
            all.add(askAsync("q" + i));
        }
        soon().until(() -> ids(State.ASKED).size() == Asking.MAX_UNANSWERED);
        assertThatThrownBy(() -> asking.ask("too many", bytes("x"), SHORT))
                .isInstanceOf(NotAnsweredException.class)
                .hasMessageContaining("as many questions were without an answer as may be");
        CompletableFuture<byte[]> one = askAsync("one more");
        CompletableFuture<byte[]> other = askAsync("another");

        all.get(7).cancel(true);
        soon().until(() ->
                ids(State.ASKED).contains("one more") || ids(State.ASKED).contains("another"));
        assertThat(ids(State.ASKED)).hasSize(Asking.MAX_UNANSWERED);

        try (Subscription serving = echoing(new CopyOnWriteArrayList<>())) {
            assertThat(one).succeedsWithin(PATIENCE);
            assertThat(other).succeedsWithin(PATIENCE);
        }
    }

    @Test
    void answers_moreThanAreRemembered_theFirstIsForgotten() throws InterruptedException {
        List<String> served = new CopyOnWriteArrayList<>();
        try (Subscription serving = echoing(served)) {
            for (int i = 0; i <= Asking.REMEMBERED; i++) {
                ask("q" + i, "x");
            }
            assertThat(asking.questions()).hasSize(Asking.REMEMBERED);
            assertThat(texts()).isEqualTo(Asking.REMEMBERED);
            ask("q1", "x");
            ask("q0", "x");
        }
        assertThat(served).hasSize(Asking.REMEMBERED + 2).endsWith("q0");
    }

    /** Nobody waits for it any more, and nobody has withdrawn it. */
    @Test
    void question_ofADeadAsker_isRemovedByThoseThatFollow() throws InterruptedException {
        baton.records(Asking.TEXTS).put("snapshot/1", "orphan");
        baton.records(Asking.TREE).put("snapshot", "asked=1\n1=asked 0 0 100 call hash orphan\n");
        CompletableFuture<byte[]> other = askAsync("other");
        soon().until(() -> ids(State.ASKED).equals(List.of("orphan", "other")));

        soon().until(() -> ids(State.ASKED).equals(List.of("other")));

        assertThat(texts()).isEqualTo(1);
        assertThat(other).isNotDone();
    }

    @Test
    void serve_handlerGuardsItsWrite_byTheHold() throws InterruptedException {
        var key = new RecordKey("stock", "tickets");
        List<Long> tokens = new CopyOnWriteArrayList<>();
        QuestionHandler handler = question -> {
            tokens.add(question.token());
            return bytes(Boolean.toString(
                    baton.transact(List.of(Guard.held(question.hold())), List.of(Op.put(key, question.text())))));
        };
        for (String id : List.of("a", "b")) {
            try (Subscription serving = asking.serve(handler)) {
                assertThat(ask(id, id)).isEqualTo("true");
            }
        }
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
    }

    @Test
    void close_handlerRuns_itIsInterruptedAndTheNextServerBeginsAgain() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var returned = new AtomicInteger();
        Subscription first = asking.serve(question -> {
            begun.countDown();
            try {
                new CountDownLatch(1).await(); // until it is interrupted
                return bytes("never");
            } finally {
                returned.incrementAndGet();
            }
        });
        CompletableFuture<byte[]> waiting = askAsync("a");
        begun.await();

        first.close();

        assertThat(returned).hasValue(1);
        assertThat(ids(State.BEGUN)).containsExactly("a");
        try (Subscription next = asking.serve(question -> bytes("attempt " + question.attempt()))) {
            assertThat(waiting).succeedsWithin(PATIENCE).isEqualTo(bytes("attempt 2"));
        }
    }

    @Test
    void close_handlerReturnsNevertheless_isAnswered() throws InterruptedException {
        var begun = new CountDownLatch(1);
        Subscription first = asking.serve(question -> {
            begun.countDown();
            try {
                Thread.sleep(PATIENCE.toMillis());
            } catch (InterruptedException asked) {
                return bytes("finished");
            }
            return bytes("slept");
        });
        CompletableFuture<byte[]> waiting = askAsync("a");
        begun.await();

        first.close();
        first.close();

        assertThat(waiting).succeedsWithin(PATIENCE).isEqualTo(bytes("finished"));
        assertThat(baton.lock("asking/snapshot").queue()).isEmpty();
    }

    @Test
    void coordinator_closed_endsCallsAndServing() throws InterruptedException {
        List<String> served = new CopyOnWriteArrayList<>();
        Subscription serving = echoing(served);
        ask("a", "x");
        Coordinator other = Coordinator.connect(uri);
        CompletableFuture<byte[]> waiting = Asking.named(other, "another").askAsync(bytes("x"), PATIENCE);
        soon().until(() -> !Asking.named(baton, "another").questions().isEmpty());

        other.close();

        assertThat(waiting).failsWithin(PATIENCE).withThrowableThat().withCauseInstanceOf(SessionLostException.class);
        assertThat(Asking.named(baton, "another").questions()).hasSize(1);
        baton.close();
        serving.close();
        assertThatThrownBy(() -> asking.serve(question -> bytes(""))).isInstanceOf(SessionLostException.class);
        assertThatThrownBy(() -> ask("b", "x")).isInstanceOf(SessionLostException.class);
    }

    @Test
    void record_ofAnotherProgram_isRefusedAndKept() throws InterruptedException {
        for (String text : List.of("hello", "asked=x", "asked=1\n1=nonsense", "asked=1\n1=asked 0 0 x call hash id")) {
            baton.records(Asking.TREE).put("snapshot", text);

            assertThatThrownBy(() -> ask("a", "x"))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("should have the line 'asked=N'");
            assertThatThrownBy(() -> asking.questions()).isInstanceOf(CoordinationException.class);
            assertThat(baton.records(Asking.TREE).get("snapshot").orElseThrow().text())
                    .isEqualTo(text);
        }
    }

    @Test
    void ask_oddIdsAndTexts_areKeptAsTheyAre() throws InterruptedException {
        byte[] all = new byte[Asking.MAX_BYTES];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        try (Subscription serving = asking.serve(Question::bytes)) {
            for (String id : List.of("a=b", "two\nlines", "100%", " a b ", "東京", "x".repeat(64))) {
                assertThat(asking.ask(id, all, PATIENCE)).isEqualTo(all);
                assertThat(asking.ask(id, all, PATIENCE)).isEqualTo(all);
            }
        }
        assertThat(asking.questions())
                .hasSize(6)
                .extracting(StandingQuestion::id)
                .contains("two\nlines", " a b ");
    }

    @Test
    void nonsense_isRefused() {
        for (String id : List.of("", "  ", "x".repeat(65), "\ud800")) {
            assertThatThrownBy(() -> asking.ask(id, new byte[0], PATIENCE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an id is not blank and has at most 64 bytes");
        }
        assertThatThrownBy(() -> asking.ask(new byte[Asking.MAX_BYTES + 1], PATIENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a question has at most 8192 bytes; this one has 8193");
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(8))) {
            assertThatThrownBy(() -> asking.ask(new byte[0], timeout))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 7 days");
        }
        assertThatThrownBy(() -> Asking.named(baton, "x".repeat(1020))).isInstanceOf(IllegalArgumentException.class);
    }
}
