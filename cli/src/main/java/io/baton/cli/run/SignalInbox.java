package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Signals.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Where a signal to baton goes: while it waits it ends the waiting, and later it is passed to the command, once. */
final class SignalInbox {

    private final Thread waiting;
    private final List<Signal> kept = new ArrayList<>();
    private boolean passed;
    private @Nullable Consumer<Signal> receiver;

    /** Will interrupt this thread until {@link #forwardTo} is called. */
    SignalInbox(Thread waiting) {
        this.waiting = waiting;
    }

    void onSignal(Signal signal) {
        Consumer<Signal> to = keepOrForward(signal);
        if (to != null) {
            to.accept(signal);
        }
    }

    /** The exit status if a signal has ended the waiting. */
    synchronized Optional<Integer> ended() {
        return kept.stream().findFirst().map(signal -> Exit.signalled(signal.number()));
    }

    /** Called by the waiting thread: from now on signals go there, first those that have arrived. */
    void forwardTo(Consumer<Signal> to) {
        redirect(to).forEach(to);
    }

    /**
     * Called by the waiting thread: from now on signals end the waiting again.
     *
     * @return false, and nothing has changed, if one has been passed on: it has asked for the end
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
