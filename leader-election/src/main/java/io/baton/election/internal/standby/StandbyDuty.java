package io.baton.election.internal.standby;

import io.baton.election.internal.term.LeaderWork;
import io.baton.election.internal.term.Term;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's terms as the work of its candidacy. The work goes on until no hook is running and the breadcrumb is handled.
 */
final class StandbyDuty implements LeaderWork {

    private final BiFunction<Term, Runnable, StandbyTerm> lead;
    private final HookExecutor hands;
    private final String name;
    private @Nullable StandbyTerm current;

    StandbyDuty(BiFunction<Term, Runnable, StandbyTerm> lead, HookExecutor hands, String name) {
        this.lead = lead;
        this.hands = hands;
        this.name = name;
    }

    @Override
    public Work begin(Term term, Consumer<@Nullable Throwable> stopped) {
        StandbyTerm begun = lead.apply(term, () -> stopped.accept(null));
        current = begun;
        return new Work() {
            @Override
            public Optional<Thread> thread() {
                return begun.thread();
            }

            @Override
            public void holdEnded() {
                begun.holdEnded();
            }
        };
    }

    @Override
    public boolean runBeside(Runnable task) {
        return hands.leave("baton-last-resort-" + name, task);
    }

    /** Returns whether a hook is running; anything else in a term is harmless if it takes long. */
    @Override
    public boolean isRunning() {
        return current != null && current.hookRuns();
    }
}
