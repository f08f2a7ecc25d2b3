package io.baton.election.internal.standby;

import io.baton.recipe.ClientLoop;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one running hook or fencer of a term, with its time budget. On the loop, except {@link #thread}. */
final class StandbyJob {

    /** The kind of job. */
    enum Kind {
        FENCER("fence", "the fencer"),
        PROMOTION("promote", "the hook that promotes"),
        DEMOTION("demote", "the hook that demotes");

        private final String thread;
        private final String text;

        Kind(String thread, String text) {
            this.thread = thread;
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** Its events. */
    interface Events {

        /** Its budget is used up. */
        void overdue(Kind kind, Duration budget);

        /** It has returned, with the exception if it threw one. */
        void returned(Kind kind, @Nullable Throwable thrown);

        /** The fencer does not return after an interrupt, and is abandoned. */
        void abandoned();

        /** An abandoned fencer has returned after all. */
        void returnedLate();

        /** It has returned after the end of the coordinator and its loop. On its own thread. */
        void outlived();
    }

    private static final Loop.Timer NONE = () -> {};

    private final String election;
    private final HookExecutor hands;
    private final ClientLoop loop;
    private final Duration grace;
    private final Events to;

    private @Nullable Kind kind;
    private Loop.Timer timer = NONE;
    private volatile HookExecutor.@Nullable Job job;

    /** Creates one without a job. */
    StandbyJob(String election, HookExecutor hands, ClientLoop loop, Duration grace, Events to) {
        this.election = election;
        this.hands = hands;
        this.loop = loop;
        this.grace = grace;
        this.to = to;
    }

    void begin(Kind what, HookExecutor.Task task, Duration budget) {
        HookExecutor.Job[] begun = new HookExecutor.Job[1];
        String thread = "baton-" + what.thread + "-" + election;
        begun[0] = hands.begin(thread, task, thrown -> returned(what, begun[0], thrown), to::outlived);
        kind = what;
        job = begun[0];
        timer = loop.after(budget, () -> to.overdue(what, budget));
    }

    /** A fencer that does not return after that is abandoned, because it is not an active node that has to stop. */
    void interrupt() {
        HookExecutor.Job running = job;
        if (running != null) {
            timer.cancel();
            running.interrupt();
            if (kind == Kind.FENCER) {
                timer = loop.after(grace, this::abandon);
            }
        }
    }

    /** Returns whether it is a hook, which must return before the term can end. */
    boolean isHook() {
        return kind == Kind.PROMOTION || kind == Kind.DEMOTION;
    }

    /** Returns its thread. */
    Optional<Thread> thread() {
        HookExecutor.Job running = job;
        return running == null ? Optional.empty() : running.thread();
    }

    private void abandon() {
        finish();
        to.abandoned();
    }

    private void returned(Kind what, HookExecutor.@Nullable Job which, @Nullable Throwable thrown) {
        if (which == job) {
            finish();
            to.returned(what, thrown);
        } else {
            to.returnedLate();
        }
    }

    private void finish() {
        timer.cancel();
        job = null;
        kind = null;
    }
}
