package io.baton.cli.lock;

import io.baton.cli.Exit;
import io.baton.cli.Signals.Signal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Where a signal to baton goes: while it waits it ends the waiting, and later it is passed to the command, once. */
final class SignalInbox {

    private final Thread waiting;
    private final List<Signal> kept = new ArrayList<>();
    private Consumer<Signal> receiver;

    /** Will interrupt this thread until {@link #pass} is called. */
    SignalInbox(Thread waiting) {
        this.waiting = waiting;
        this.receiver = signal -> {
            kept.add(signal);
            waiting.interrupt();
        };
    }

    synchronized void arrived(Signal signal) {
        receiver.accept(signal);
    }

    /** The exit status if a signal has ended the waiting. */
    synchronized Optional<Integer> ended() {
        return kept.stream().findFirst().map(signal -> Exit.signalled(signal.number()));
    }

    /** Called by the waiting thread: from now on signals go there, first those that have arrived. */
    synchronized void pass(Consumer<Signal> to) {
        receiver = to;
        kept.forEach(to);
        kept.clear();
        if (waiting == Thread.currentThread()) {
            Thread.interrupted();
        }
    }
}
