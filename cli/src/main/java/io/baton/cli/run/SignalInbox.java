package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Signals.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives baton's signals. While baton waits for the mandate, a signal ends the wait. Later, signals go to the
 * command, each once.
 */
final class SignalInbox {

    private final Thread waiting;
    private final List<Signal> kept = new ArrayList<>();
    private boolean passed;
    private @Nullable Consumer<Signal> receiver;

    /** Interrupts this thread until {@link #forwardTo} is called. */
    SignalInbox(Thread waiting) {
        this.waiting = waiting;
    }

    void onSignal(Signal signal) {
        Consumer<Signal> to = keepOrForward(signal);
        if (to != null) {
            to.accept(signal);
        }
    }

    /** The exit status if a signal has ended the wait. */
    synchronized Optional<Integer> ended() {
        return kept.stream().findFirst().map(signal -> Exit.signalled(signal.number()));
    }

    /**
     * Forwards signals to this receiver from now on, beginning with those that have arrived. Called by the waiting
     * thread.
     */
    void forwardTo(Consumer<Signal> to) {
        redirect(to).forEach(to);
    }

    /**
     * Makes signals end the wait again. Called by the waiting thread.
     *
     * @return false, without effect, if a signal was forwarded, since it asks for the end
     */
    synchronized boolean waitAgain() {
        if (!passed) {
            receiver = null;
        }
        return !passed;
    }

    private synchronized @Nullable Consumer<Signal> keepOrForward(Signal signal) {
        if (receiver == null) {
            kept.add(signal);
            waiting.interrupt();
        } else {
            passed = true;
        }
        return receiver;
    }

    private synchronized List<Signal> redirect(Consumer<Signal> to) {
        receiver = to;
        List<Signal> early = List.copyOf(kept);
        passed = !early.isEmpty();
        kept.clear();
        if (waiting.equals(Thread.currentThread())) {
            Thread.interrupted();
        }
        return early;
    }
}
