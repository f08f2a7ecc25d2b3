package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Signals.Signal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignalInboxTest {

    private static final Signal TERM = new Signal("TERM", 15);
    private static final Signal INT = new Signal("INT", 2);

    private final SignalInbox inbox = new SignalInbox(Thread.currentThread());

    @Test
    void arrived_whileWaiting_interruptsAndTellsTheStatus() {
        assertThat(inbox.ended()).isEmpty();
        inbox.onSignal(TERM);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(inbox.ended()).contains(143);
    }

    @Test
    void pass_afterOneArrived_handsItOverOnceAndClearsTheInterrupt() {
        List<Signal> got = new ArrayList<>();
        inbox.onSignal(INT);
        inbox.forwardTo(got::add);
        assertThat(got).containsExactly(INT);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(inbox.ended()).isEmpty();
    }

    @Test
    void arrived_afterPass_goesToTheCommandOnly() {
        List<Signal> got = new ArrayList<>();
        inbox.forwardTo(got::add);
        inbox.onSignal(TERM);
        assertThat(got).containsExactly(TERM);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void waitAgain_noneHasArrived_interruptsForTheNext() {
        List<Signal> got = new ArrayList<>();
        inbox.forwardTo(got::add);
        assertThat(inbox.waitAgain()).isTrue();
        inbox.onSignal(TERM);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(inbox.ended()).contains(143);
        assertThat(got).isEmpty();
    }

    @Test
    void waitAgain_oneHasBeenPassed_isRefused() {
        List<Signal> got = new ArrayList<>();
        inbox.forwardTo(got::add);
        inbox.onSignal(TERM);
        assertThat(inbox.waitAgain()).isFalse();
    }

    @Test
    void waitAgain_oneHadArrivedBeforeThePass_isRefused() {
        inbox.onSignal(INT);
        inbox.forwardTo(signal -> {});
        assertThat(inbox.waitAgain()).isFalse();
    }
}
