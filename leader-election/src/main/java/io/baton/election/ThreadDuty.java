package io.baton.election;

import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Work on a thread of its own, one for each term. */
final class ThreadDuty implements Duty {

    private final ElectionListener listener;

    ThreadDuty(ElectionListener listener) {
        this.listener = listener;
    }

    @Override
    public Work begin(Term term, Consumer<@Nullable Throwable> stopped) {
        var thread = new Thread(() -> lead(term, stopped), "baton-leader-" + term.election() + "-" + term.term());
        thread.setDaemon(true);
        thread.start();
        return () -> Optional.of(thread);
    }

    @Override
    public void beside(Runnable task) {
        var thread = new Thread(task, "baton-last-resort");
        thread.setDaemon(true);
        thread.start();
    }

    private void lead(Term term, Consumer<@Nullable Throwable> stopped) {
        Throwable thrown = null;
        try {
            // A thread may begin late: what is over by then is not begun.
            if (term.goesOn()) {
                listener.onElected(term);
            }
        } catch (Throwable any) {
            thrown = any;
        } finally {
            stopped.accept(thrown);
        }
    }
}
