package io.baton.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Released;
import io.baton.Released.Outcome;
import io.baton.cli.Signals.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ReleaseRequestTextTest {

    @Test
    void text_ofEachOutcome_saysWhatBecameOfTheRequest() {
        assertThat(text(Outcome.FREE, "")).isEqualTo("no process holds it");
        assertThat(text(Outcome.RELEASED, "")).isEqualTo("released");
        assertThat(text(Outcome.REFUSED, "in the middle of it")).isEqualTo("refused: in the middle of it");
        assertThat(text(Outcome.REFUSED, " ")).isEqualTo("refused, without a reason");
        assertThat(text(Outcome.UNANSWERED, ""))
                .isEqualTo("no answer within 30s: the holder may not listen, or may still decide to release");
    }

    @Test
    void json_ofEachOutcome_saysWhatBecameOfTheRequest() {
        assertThat(json(Outcome.FREE, "")).isEqualTo("{\"name\":\"x\",\"outcome\":\"free\",\"answer\":null}");
        assertThat(json(Outcome.RELEASED, "")).contains("\"outcome\":\"released\",\"answer\":null");
        assertThat(json(Outcome.REFUSED, "in \"it\"")).contains("\"refused\",\"answer\":\"in \\\"it\\\"\"}");
        assertThat(json(Outcome.UNANSWERED, "")).contains("\"outcome\":\"unanswered\",\"answer\":null");
    }

    @Test
    void status_ofEachOutcome_isItsOwn() {
        assertThat(Arrays.stream(Outcome.values()).map(ReleaseRequestCommand::status))
                .containsExactlyInAnyOrder(0, 1, 75, 77);
    }

    @Test
    void onSignal_outcomeIsKnown_endsTheProcess() {
        var outcome = new CompletableFuture<Released>();
        var halted = new ArrayList<Integer>();
        ReleaseRequestCommand.onSignal(new Signal("TERM", 15), outcome, halted::add);
        ReleaseRequestCommand.onSignal(new Signal("TERM", 15), outcome, halted::add);
        assertThat(outcome).isCompletedExceptionally();
        assertThat(halted).as("while the request is being withdrawn").isEmpty();

        var unanswered = CompletableFuture.completedFuture(new Released(Outcome.UNANSWERED, ""));
        ReleaseRequestCommand.onSignal(new Signal("INT", 2), unanswered, halted::add);
        assertThat(halted).as("while it is withdrawn as nobody answered").isEmpty();

        var known = CompletableFuture.completedFuture(new Released(Outcome.REFUSED, ""));
        ReleaseRequestCommand.onSignal(new Signal("INT", 2), known, halted::add);
        assertThat(halted).containsExactly(130);
    }

    private static String json(Outcome outcome, String answer) {
        return ReleaseRequestCommand.json("x", new Released(outcome, answer));
    }

    private static String text(Outcome outcome, String answer) {
        return ReleaseRequestCommand.text(new Released(outcome, answer), Duration.ofSeconds(30));
    }
}
