package io.baton.election.internal.term;

import io.baton.election.ElectionListener;
import io.baton.recipe.UnprintableException;
import io.baton.spi.support.Background;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs work on a thread of its own, one for each term. */
public final class ThreadWork implements LeaderWork {

    private final ElectionListener listener;

    public ThreadWork(ElectionListener listener) {
        this.listener = listener;
    }

    @Override
    public Work begin(Term term, Consumer<@Nullable Throwable> stopped) {
        String name = "baton-leader-" + term.election() + "-" + term.term();
        Optional<Thread> thread = Background.start(name, () -> lead(term, stopped));
        if (thread.isEmpty()) {
            stopped.accept(new IllegalStateException("no thread to be had to lead on"));
        }
        return () -> thread;
    }

    @Override
    public boolean runBeside(Runnable task) {
        return Background.start("baton-last-resort", task).isPresent();
    }

    private void lead(Term term, Consumer<@Nullable Throwable> stopped) {
        Throwable thrown = null;
        // Set on this thread, not by its starter, because the work may use it at once.
        term.setWorkThread(Thread.currentThread());
        try {
            // A thread may start late; a term that is over by then does not start its work.
            if (term.isActive()) {
                listener.onElected(term);
            }
        } catch (Throwable any) {
            thrown = UnprintableException.printable(any);
        } finally {
            stopped.accept(thrown);
        }
    }
}
