package io.baton.tck;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipes.Asking;
import io.baton.recipes.NotAnsweredException;
import io.baton.recipes.QuestionFailedException;
import io.baton.recipes.QuestionHandler;
import io.baton.recipes.StandingQuestion;
import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** One process asks, another one does the work and answers. */
@SuppressWarnings("try") // a server serves while the block lasts
abstract class AskingChapter extends Chapter {

    private static final String LOCK = "asking/tck";
    private static final RecordKey EFFECT = new RecordKey("tck", "effect");

    private static Asking asking(Coordinator baton) {
        return Asking.named(baton, "tck");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static CompletableFuture<byte[]> ask(Asking asking, String id) {
        return asking.askAsync(id, bytes("text of " + id), PATIENCE);
    }

    private static String answer(CompletableFuture<byte[]> waiting) throws InterruptedException {
        return new String(outcome(waiting), UTF_8);
    }

    private static QuestionHandler by(String server, List<String> served) {
        return question -> {
            served.add(question.id());
            return bytes(server + " has done '" + question.text() + "'");
        };
    }

    private static List<String> ids(Asking asking, State state) throws InterruptedException {
        return asking.questions().stream()
                .filter(each -> each.state() == state)
                .map(StandingQuestion::id)
                .toList();
    }

    @Test
    void ask_ofAnotherCoordinator_isAnsweredOnceForAll() throws Exception {
        Asking here = asking(coordinator());
        Asking there = asking(coordinator());
        List<String> served = new CopyOnWriteArrayList<>();
        CompletableFuture<byte[]> early = ask(here, "a");
        soon().until(() -> ids(there, State.ASKED).equals(List.of("a")));

        try (Subscription serving = there.serve(by("there", served))) {
            assertThat(answer(early)).isEqualTo("there has done 'text of a'");
            assertThat(answer(ask(there, "a"))).isEqualTo("there has done 'text of a'");
            assertThat(here.ask(bytes("no id"), PATIENCE)).isEqualTo(bytes("there has done 'no id'"));
        }
        assertThat(served).hasSize(2).startsWith("a");
        assertThat(answer(ask(asking(coordinator()), "a")))
                .as("after the server has gone")
                .isEqualTo("there has done 'text of a'");
        assertThat(served).hasSize(2);
    }

    @Test
    void ask_manyOfThreeCoordinators_eachIsServedOnce() throws Exception {
        List<Asking> askings = List.of(asking(coordinator()), asking(coordinator()), asking(coordinator()));
        List<String> served = new CopyOnWriteArrayList<>();
        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        try (Subscription one = askings.get(0).serve(by("one", served));
                Subscription other = askings.get(1).serve(by("other", served))) {
            for (int i = 0; i < 30; i++) {
                all.add(ask(askings.get(i % 3), "q" + i % 15));
            }
            for (int i = 0; i < 30; i++) {
                assertThat(answer(all.get(i))).endsWith(" has done 'text of q" + i % 15 + "'");
            }
        }
        assertThat(served).hasSize(15).doesNotHaveDuplicates();
    }

    @Test
    void handler_fails_theAskerIsTold() throws Exception {
        Asking there = asking(coordinator());
        try (Subscription serving = there.serve(question -> {
            throw new IllegalStateException("there is no room");
        })) {
            Asking here = asking(coordinator());
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> outcome(ask(here, "a")))
                        .isInstanceOf(QuestionFailedException.class)
                        .hasMessageContaining("there is no room");
            }
        }
    }

    /** The first one holds the lock until it is closed, whatever it is at. */
    @Test
    void server_closed_theNextOneBeginsAgain() throws Exception {
        Coordinator closing = coordinator();
        var begun = new CountDownLatch(1);
        Subscription first = asking(closing).serve(question -> {
            begun.countDown();
            Thread.sleep(PATIENCE.toMillis());
            return bytes("slept");
        });
        Asking asking = asking(coordinator());
        CompletableFuture<byte[]> waiting = ask(asking, "a");
        begun.await();
        try (Subscription next = asking.serve(question -> bytes("attempt " + question.attempt()))) {
            stays(() -> !waiting.isDone());

            closing.close();

            assertThat(answer(waiting)).isEqualTo("attempt 2");
        }
        first.close();
    }

    /** A server that was away, and does not know that it has lost the lock, neither answers nor changes anything. */
    @Test
    void server_sessionExpiredWhileItWorks_itsAnswerAndItsWriteAreRefused() throws Exception {
        Coordinator paused = coordinator();
        var begun = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var written = new CompletableFuture<Boolean>();
        Subscription first = asking(paused).serve(question -> {
            begun.countDown();
            awaitUninterruptibly(goOn);
            written.complete(isWritten(paused, question.hold()));
            return bytes("late");
        });
        Coordinator other = coordinator();
        Asking asking = asking(other);
        CompletableFuture<byte[]> waiting = ask(asking, "a");
        begun.await();
        TckClient looking = client();
        String session = looking.details(looking.peers("locks/asking%2Ftck").get(0))
                .orElseThrow()
                .session();
        try (Subscription next = asking.serve(question -> {
            goOn.countDown();
            assertThat(written.get()).isFalse();
            return bytes("attempt " + question.attempt());
        })) {
            store().expire(session);

            assertThat(answer(waiting)).isEqualTo("attempt 2");
            assertThat(answer(ask(asking, "a"))).isEqualTo("attempt 2");
            assertThat(other.records("tck").get("effect")).isEmpty();
        }
        assertThat(answer(ask(asking, "b"))).as("it serves again").isEqualTo("late");
        first.close();
    }

    private static boolean isWritten(Coordinator baton, Hold hold) {
        try {
            return baton.transact(List.of(Guard.held(hold)), List.of(Op.put(EFFECT, "written")));
        } catch (CoordinationException | InterruptedException lost) {
            return false; // what was written is looked at later
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException lost) {
                // goes on, as one that was paused
            }
        }
    }

    @Test
    void server_evicted_theNextOneBeginsAgainAndItStandsBy() throws Exception {
        Coordinator evicted = coordinator();
        var begun = new CountDownLatch(1);
        Subscription first = asking(evicted).serve(question -> {
            if (question.attempt() == 1) {
                begun.countDown();
                Thread.sleep(PATIENCE.toMillis());
            }
            return bytes("attempt " + question.attempt());
        });
        Coordinator other = coordinator();
        Asking asking = asking(other);
        CompletableFuture<byte[]> waiting = ask(asking, "a");
        begun.await();
        QueueEntry holder = other.lock(LOCK).queue().get(0);

        assertThat(other.lock(LOCK).evict(holder, "test")).isTrue();

        assertThat(answer(waiting)).isEqualTo("attempt 2");
        first.close();
        soon().until(() -> other.lock(LOCK).queue().isEmpty());
    }

    @Test
    void contact_brokenAndRestored_askersAndServersGoOn() throws Exception {
        Coordinator baton = coordinator();
        Asking here = asking(baton);
        Asking other = asking(steadyCoordinator());
        List<String> served = new CopyOnWriteArrayList<>();
        CompletableFuture<byte[]> before = ask(here, "before");
        soon().until(() -> ids(other, State.ASKED).equals(List.of("before")));
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);
        CompletableFuture<byte[]> meanwhile = ask(here, "meanwhile");
        try (Subscription serving = other.serve(by("other", served))) {
            soon().until(() -> ids(other, State.ANSWERED).equals(List.of("before")));
            stays(() -> !before.isDone() && !meanwhile.isDone());

            store().restoreContact();

            answer(before);
            answer(meanwhile);
        }
        try (Subscription serving = here.serve(by("here", served))) {
            assertThat(answer(ask(other, "x"))).startsWith("here");
            store().breakContact();
            CompletableFuture<byte[]> waiting = ask(other, "y");
            store().restoreContact();
            assertThat(answer(waiting)).startsWith("here");
        }
        assertThat(served).containsExactly("before", "meanwhile", "x", "y");
    }

    @Test
    void ask_noContact_saysSoAndIsNotAsked() throws Exception {
        Coordinator baton = coordinator(options("tck").requestTimeout(Duration.ofSeconds(1)));
        Asking other = asking(steadyCoordinator());
        store().breakContact();
        soon().until(() -> baton.state() != SessionState.CONNECTED);

        // The time is over while the question is on its way.
        assertThatThrownBy(() -> asking(baton).ask("a", bytes("x"), Duration.ofMillis(500)))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(other.questions()).isEmpty();
    }

    @Test
    void ask_timeIsOver_isWithdrawnUnlessItHasBegun() throws Exception {
        Asking here = asking(coordinator());
        assertThatThrownBy(() -> here.ask("a", bytes("text of a"), Duration.ofMillis(20)))
                .isInstanceOfSatisfying(
                        NotAnsweredException.class,
                        thrown -> assertThat(thrown.mayHaveBegun()).isFalse());
        assertThat(here.questions()).isEmpty();
        var goOn = new CountDownLatch(1);
        try (Subscription serving = asking(coordinator()).serve(question -> {
            goOn.await();
            return bytes("done");
        })) {
            CompletableFuture<byte[]> waiting = ask(here, "a");
            soon().until(() -> ids(here, State.BEGUN).equals(List.of("a")));

            assertThatThrownBy(() -> here.ask("a", bytes("text of a"), Duration.ofMillis(20)))
                    .isInstanceOfSatisfying(
                            NotAnsweredException.class,
                            thrown -> assertThat(thrown.mayHaveBegun()).isTrue());

            goOn.countDown();
            assertThat(answer(waiting)).isEqualTo("done");
        }
    }

    /** As after a restart of the asker: its question is the same. */
    @Test
    void asker_closedAndAskedAgain_getsTheAnswerToTheFirst() throws Exception {
        Coordinator closing = coordinator();
        CompletableFuture<byte[]> first = ask(asking(closing), "a");
        Asking here = asking(coordinator());
        soon().until(() -> ids(here, State.ASKED).equals(List.of("a")));

        closing.close();

        assertThatThrownBy(() -> outcome(first)).isInstanceOf(SessionLostException.class);
        List<String> served = new CopyOnWriteArrayList<>();
        try (Subscription serving = asking(coordinator()).serve(by("server", served))) {
            assertThat(answer(ask(here, "a"))).isEqualTo("server has done 'text of a'");
        }
        assertThat(served).containsExactly("a");
    }

    /** It counts from when it saw the question, and goes on over a break. */
    @Test
    void question_ofADeadAsker_isRemovedByThoseThatFollow() throws Exception {
        Coordinator dead = coordinator();
        Asking here = asking(coordinator());
        CompletableFuture<byte[]> orphan = asking(dead).askAsync("orphan", bytes("x"), Duration.ofSeconds(1));
        soon().until(() -> orphan.isDone() || ids(here, State.ASKED).equals(List.of("orphan")));
        dead.close();
        CompletableFuture<byte[]> other = ask(here, "other");

        soon().until(() -> ids(here, State.ASKED).equals(List.of("other")));

        assertThat(here.withdraw("other")).isTrue();
        assertThatThrownBy(() -> outcome(other)).isInstanceOf(NotAnsweredException.class);
    }

    @Test
    void nonsense_isRefused() throws InterruptedException {
        Asking asking = asking(coordinator());

        assertThatThrownBy(() -> asking.ask(" ", bytes("x"), PATIENCE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> asking.ask("a", new byte[Asking.MAX_BYTES + 1], PATIENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 8192 bytes");
        assertThatThrownBy(() -> asking.ask("a", bytes("x"), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(asking.questions()).isEmpty();
    }

    @Test
    void ask_largestQuestionAndAnswer_areKept() throws Exception {
        byte[] largest = new byte[Asking.MAX_BYTES];
        largest[17] = 1;
        Asking asking = asking(coordinator());
        try (Subscription serving = asking.serve(question -> question.bytes())) {
            for (int i = 0; i < 5; i++) {
                assertThat(outcome(asking.askAsync("x".repeat(60) + i, largest, PATIENCE)))
                        .isEqualTo(largest);
            }
        }
    }
}
