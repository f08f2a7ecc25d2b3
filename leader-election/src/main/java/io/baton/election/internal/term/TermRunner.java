package io.baton.election.internal.term;

import io.baton.HoldState;
import io.baton.election.Candidate;
import io.baton.election.LastResort;
import io.baton.election.StopReason;
import io.baton.election.WhenSuspended;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.ListenerGuard;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one term: its work, its timers, and the check whether going on is dangerous. On the loop. */
public final class TermRunner {

    /** The events of the term. */
    public interface Events {
        /** Contact is lost, and the work must not go on any longer. */
        void endangered();

        /** The term is over, or not certain to go on. */
        void lost();

        /** The work has not stopped in time. */
        void late();

        /** The work has stopped. */
        void returned();

        /** The work has stopped after the end of the coordinator and its loop. On the thread of the work. */
        void outlived();
    }

    private static final Logger log = LoggerFactory.getLogger(TermRunner.class);
    private static final Loop.Timer NONE = () -> {};

    /** How often the remaining time is checked; it shrinks at once if this machine has slept. */
    private static final Duration LONGEST_LOOK = Duration.ofMillis(100);

    private final Term term;
    private final Candidate candidate;
    private final ClientLoop loop;
    private final Events to;
    private final TermReport report;
    private final CompletableFuture<Void> removed = new CompletableFuture<>();
    private final long begunNanos;

    /**
     * The remaining time at which the work must stop: the stop timeout, or half of the longest remaining time if that
     * is less.
     */
    private Duration least = Duration.ZERO;

    private Loop.Timer look = NONE;
    private Loop.Timer limit = NONE;
    private boolean inContact = true;
    private boolean stopped;
    private boolean lastResortTaken;
    private long stopNanos;
    private @Nullable StopReason reason;
    private @Nullable Throwable failure;
    private LeaderWork.@Nullable Work work;

    public TermRunner(Term term, Candidate candidate, ClientLoop loop, TermReport report, Events to) {
        this.term = term;
        this.candidate = candidate;
        this.loop = loop;
        this.report = report;
        this.to = to;
        this.begunNanos = loop.nanoTime();
        reserveMore();
    }

    /** A term may start with a waiting session's remaining time, and have more after its first proof. */
    private boolean reserveMore() {
        Duration half = term.remaining().dividedBy(2);
        Duration wanted = half.compareTo(candidate.stopTimeout()) < 0 ? half : candidate.stopTimeout();
        boolean more = wanted.compareTo(least) > 0;
        least = more ? wanted : least;
        return more;
    }

    /** Completes when the entry is gone, on any thread. */
    public CompletableFuture<Void> removed() {
        return removed;
    }

    /** Returns how the work has ended. */
    public WorkFailures.Ended ended() {
        return new WorkFailures.Ended(term.term(), Duration.ofNanos(loop.nanoTime() - begunNanos), reason, failure);
    }

    public void start(LeaderWork leaderWork) {
        report.began();
        checkTimeLeft();
        try {
            work = leaderWork.begin(term, this::workStopped);
        } catch (Throwable noThread) {
            loop.post(() -> stopped(noThread));
        }
    }

    /**
     * Handles a change of the hold. While there is contact, a proof is due that settles any doubt, so no candidate
     * stops for that.
     */
    public void changed(HoldState state, boolean contact) {
        inContact = contact;
        boolean more = reserveMore();
        switch (state) {
            case HELD -> {
                if (more && reason == null) {
                    checkTimeLeft();
                }
            }
            case JEOPARDY -> {
                if (candidate.whenSuspended() == WhenSuspended.STOP && !inContact) {
                    to.endangered();
                } else if (reason == null) {
                    checkTimeLeft();
                }
            }
            case LOST, RELEASED -> {
                to.lost();
                if (work != null) {
                    work.holdEnded();
                }
            }
        }
    }

    /**
     * Ends the term while there is time to stop, even without a reported disconnect. A silent network is noticed late,
     * perhaps only after the deadline.
     */
    private void checkTimeLeft() {
        look.cancel();
        Duration spare = term.remaining().minus(reserve());
        if (spare.compareTo(Duration.ZERO) > 0) {
            look = loop.after(spare.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : spare, this::checkTimeLeft);
        } else if (term.isActive()) {
            to.endangered();
        }
    }

    /**
     * Returns the remaining time at which the work must stop. In doubt, the wall clock's gain is subtracted from it,
     * although most often the clock was set and no machine has slept. Half the reserve is enough then, so a step of a
     * quarter of the session's TTL ends no term.
     */
    private Duration reserve() {
        return isDoubtful() ? least.dividedBy(2) : least;
    }

    private boolean isDoubtful() {
        return inContact && term.hold().state() == HoldState.JEOPARDY;
    }

    public void stop(StopReason why) {
        look.cancel();
        reason = why;
        stopNanos = loop.nanoTime();
        limit = loop.after(timeToStop(why), to::late);
        term.stop(why);
        report.stopping(why);
    }

    /** Work that is stopped late because of a doubt gets no more than the time reserved for that. */
    private Duration timeToStop(StopReason why) {
        Duration usual = candidate.stopTimeout();
        if (why != StopReason.JEOPARDY || !isDoubtful()) {
            return usual;
        }
        Duration left = term.remaining();
        Duration kept = least.dividedBy(2);
        Duration longest = left.compareTo(kept) > 0 ? left : kept;
        return longest.compareTo(usual) < 0 ? longest : usual;
    }

    /**
     * Handles work that has not stopped in time. A part that starts only later, as a hook that demotes, gets its own
     * time.
     */
    public void lastResort(LeaderWork leaderWork) {
        if (lastResortTaken || reason == null) {
            return;
        }
        report.late();
        if (!leaderWork.isRunning()) {
            limit.cancel();
            limit = loop.after(candidate.stopTimeout(), to::late);
        } else {
            lastResortTaken = true;
            Duration since = Duration.ofNanos(loop.nanoTime() - stopNanos);
            var thread = work == null ? Optional.<Thread>empty() : work.thread();
            var stuck = new LastResort.Stuck(term, reason, since, thread);
            LastResort last = candidate.lastResort();
            runLastResort(leaderWork, () -> {
                report.lastResort();
                new ListenerGuard(last, term).run(() -> last.stuck(stuck));
            });
        }
    }

    /** The last resort protects against two leaders. If no thread is available, this tries until there is one. */
    private void runLastResort(LeaderWork leaderWork, Runnable last) {
        if (!leaderWork.runBeside(last)) {
            limit = loop.after(LONGEST_LOOK, () -> runLastResort(leaderWork, last));
        }
    }

    /** Releases the entry after the work has stopped. */
    public void release(ElectionLine line) {
        look.cancel();
        limit.cancel();
        Futures.onDone(line.release(term.hold()), (done, failure) -> {
            if (failure == null) {
                removed.complete(null);
            } else {
                removed.completeExceptionally(Futures.cause(failure));
            }
        });
    }

    /** Handles the end of the work. Any thread: the work may go on for longer than the coordinator. */
    private void workStopped(@Nullable Throwable thrown) {
        if (!loop.post(() -> stopped(thrown))) {
            removed.complete(null);
            to.outlived();
        }
    }

    private void stopped(@Nullable Throwable thrown) {
        if (stopped) {
            return;
        }
        stopped = true;
        if (thrown instanceof InterruptedException && reason != null) {
            log.debug("The work of {} was interrupted, as it should be", term);
        } else {
            failure = thrown;
        }
        try {
            report.ended(thrown);
        } finally {
            to.returned();
        }
    }
}
