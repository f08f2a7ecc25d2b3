package io.baton.spi.kernel;

import static io.baton.spi.kernel.HandKernel.TTL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.StoreUnavailableException;
import io.baton.internal.HandLoop;
import io.baton.spi.kernel.StepWire.Attached;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Once a caller has been told how its transaction ended, no contact that begins later sends it. */
class VerdictsTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private final HandKernel kernel = new HandKernel(this::called);
    private final HandLoop loop = kernel.loop;
    private boolean answers = true;
    private int sent;

    private void called(String method, Object[] with) {
        switch (method) {
            case "attach" -> answer(with[2], new Attached(List.of(), Map.of(), "history", Duration.ZERO));
            case "transact" -> {
                sent++;
                answer(with[5], true);
            }
            default -> {}
        }
    }

    private <T> void answer(Object reply, T with) {
        if (answers) {
            kernel.answer(reply, with);
        }
    }

    @BeforeEach
    void attach() {
        kernel.attach(new NoListener());
    }

    private CompletableFuture<Boolean> transact(Duration within) {
        CompletableFuture<Boolean> done = kernel.session
                .transact(List.of(), List.of(Op.put(new RecordKey("shop", "stock"), "1")), List.of(), within)
                .toCompletableFuture();
        loop.run();
        return done;
    }

    /** The store answers nothing from now on, and the contact breaks. */
    private void breakUp() {
        answers = false;
        kernel.events.disconnected("broken");
        loop.run();
    }

    private void contact() {
        answers = true;
        kernel.events.disconnected("broken");
        loop.pass(SHORT);
    }

    @Test
    void transact_outOfContact_isSentWithTheNextOne() {
        breakUp();
        CompletableFuture<Boolean> done = transact(TTL);

        contact();

        assertThat(done).isCompletedWithValue(true);
        assertThat(sent).isEqualTo(1);
    }

    @Test
    void transact_outOfContactForItsTime_isUnavailableAndNeverSent() {
        breakUp();
        CompletableFuture<Boolean> done = transact(SHORT);
        loop.pass(SHORT);
        assertThat(done).isDone();
        assertThatThrownBy(done::get)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll("shop/stock", "1 s", "nothing was applied");

        contact();

        assertThat(sent).isZero();
    }

    @Test
    void transact_withoutAVerdict_isSentAgain() {
        answers = false;
        CompletableFuture<Boolean> done = transact(TTL);
        breakUp();

        contact();

        assertThat(done).isCompletedWithValue(true);
        assertThat(sent).isEqualTo(2);
    }

    @Test
    void transact_withoutAnAnswerForItsTime_isUnknownAndNotSentAgain() {
        answers = false;
        CompletableFuture<Boolean> done = transact(SHORT);
        breakUp();
        loop.pass(SHORT);
        assertThat(done).isDone();
        assertThatThrownBy(done::get).hasCauseInstanceOf(OutcomeUnknownException.class);

        contact();

        assertThat(sent).isEqualTo(1);
    }
}
