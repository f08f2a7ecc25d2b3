package io.baton.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.OutcomeUnknownException;
import io.baton.StoreUnavailableException;
import io.baton.internal.HandLoop;
import io.baton.internal.ScriptedStore;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How long a request may take, whether it waits for a session or for the session's answer. */
class RequestsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration MOMENT = Duration.ofMillis(100);

    private final HandLoop loop = new HandLoop();
    private final ScriptedStore session = new ScriptedStore(loop);
    private final Requests requests = new Requests(new ClientLoop(loop), TIMEOUT);
    private final List<Duration> sent = new ArrayList<>();
    private final CompletableFuture<Boolean> answer = new CompletableFuture<>();

    private CompletableFuture<Boolean> write() {
        CompletableFuture<Boolean> written = requests.sendWrite("a write of shop/stock", (to, within) -> {
            sent.add(within);
            return answer;
        });
        loop.run();
        return written;
    }

    @Test
    void sendWrite_inASession_hasAllOfItsTimeThere() {
        requests.connected(session);

        CompletableFuture<Boolean> written = write();
        answer.complete(true);

        assertThat(sent).containsExactly(TIMEOUT);
        assertThat(written).isCompletedWithValue(true);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void sendWrite_sessionComesLater_hasTheTimeThatIsLeft() {
        write();
        loop.pass(Duration.ofMillis(1_500));

        requests.connected(session);

        assertThat(sent).containsExactly(Duration.ofMillis(500));
    }

    @Test
    void sendWrite_sessionComesTooLate_isNotSent() {
        CompletableFuture<Boolean> written = write();
        loop.freeze(TIMEOUT.plus(MOMENT));

        requests.connected(session);
        loop.run();

        assertThat(sent).isEmpty();
        assertThatThrownBy(written::get).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void sendWrite_sessionSaysInTimeThatItWasNotSent_failsSo() {
        requests.connected(session);
        CompletableFuture<Boolean> written = write();
        loop.after(TIMEOUT, () -> answer.completeExceptionally(new StoreUnavailableException("nothing was applied")));

        loop.pass(TIMEOUT);

        assertThatThrownBy(written::get).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(loop.timers()).isZero();
    }

    @Test
    void sendWrite_sessionSaysNothingInTime_isUnknownAMomentLater() {
        requests.connected(session);
        CompletableFuture<Boolean> written = write();
        loop.pass(TIMEOUT);
        assertThat(written).isNotDone();

        loop.pass(MOMENT);

        assertThatThrownBy(written::get)
                .hasCauseInstanceOf(OutcomeUnknownException.class)
                .hasMessageContainingAll("shop/stock", "2 s");
    }

    @Test
    void send_noAnswer_isUnavailableInTime() {
        requests.connected(session);
        CompletableFuture<Boolean> read = requests.send("a read of shop/stock", to -> answer);

        loop.pass(TIMEOUT);

        assertThatThrownBy(read::get).hasCauseInstanceOf(StoreUnavailableException.class);
    }
}
