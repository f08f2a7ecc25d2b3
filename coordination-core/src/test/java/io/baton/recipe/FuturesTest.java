package io.baton.recipe;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.CoordinatorClosedException;
import io.baton.IncompatibleOptionsException;
import io.baton.LockLostException;
import io.baton.OutcomeUnknownException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.TooManyWaitersException;
import io.baton.spi.EventLoop;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a caller gets to know of what is asked on the loop: always something. */
@Timeout(60)
class FuturesTest {

    private final EventLoop loop = new EventLoop("waits-under-test");
    private final ClientLoop own = new ClientLoop(loop);

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void asked_answered_onTheLoop() throws Exception {
        CompletableFuture<String> thread = Futures.callOnLoop(
                own,
                () -> CompletableFuture.completedFuture(Thread.currentThread().getName()));

        assertThat(thread.get(30, SECONDS)).isEqualTo("waits-under-test");
    }

    @Test
    void awaitDone_limitLongerThanClocksCount_waitsUntilItIsDone() {
        CompletableFuture<Void> done = Futures.callOnLoop(own, () -> CompletableFuture.completedFuture(null));

        assertThat(Futures.awaitDone(ChronoUnit.FOREVER.getDuration(), done)).isTrue();
    }

    @Test
    void asked_failed_isTheCauseItself() {
        var failure = new StoreUnavailableException("no answer");
        CompletableFuture<String> answer = Futures.callOnLoop(
                own, () -> CompletableFuture.<String>failedFuture(failure).thenApply(String::trim));

        assertThatThrownBy(() -> answer.get(30, SECONDS)).hasCause(failure);
    }

    @Test
    void asked_theQuestionThrows_isTheOutcome() {
        CompletableFuture<String> answer = Futures.callOnLoop(own, () -> {
            throw new IllegalStateException("on purpose");
        });

        assertThatThrownBy(() -> answer.get(30, SECONDS)).hasRootCauseMessage("on purpose");
    }

    /** Programs tell failures apart by their types. */
    @Test
    void rethrowable_anyFailure_isOfTheSameTypeAndHasTheOriginal() {
        List<RuntimeException> failures = List.of(
                new CoordinationException("why"),
                new CoordinatorClosedException("why"),
                new IllegalArgumentException("why"),
                new IncompatibleOptionsException("why"),
                new LockLostException("why"),
                new OutcomeUnknownException("why"),
                new SessionLostException("why"),
                new StoreUnavailableException("why"),
                new TooManyWaitersException("why"));

        for (RuntimeException failure : failures) {
            assertThat(Futures.rethrowable(new CompletionException(failure)))
                    .isExactlyInstanceOf(failure.getClass())
                    .hasMessage("why")
                    .hasCause(failure);
        }
    }

    @Test
    void asked_loopClosed_saysSo() {
        loop.close();
        CompletableFuture<String> answer = Futures.callOnLoop(own, () -> CompletableFuture.completedFuture(""));

        assertThatThrownBy(() -> answer.get(30, SECONDS)).hasCauseInstanceOf(CoordinatorClosedException.class);
    }
}
