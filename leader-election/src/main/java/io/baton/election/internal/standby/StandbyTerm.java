package io.baton.election.internal.standby;

import io.baton.Item;
import io.baton.election.Breadcrumb;
import io.baton.election.Fencer;
import io.baton.election.LeaderState;
import io.baton.election.internal.standby.StandbyJob.Kind;
import io.baton.election.internal.standby.StandbyMachine.Effect;
import io.baton.election.internal.standby.StandbyMachine.Event;
import io.baton.election.internal.standby.StandbyMachine.Phase;
import io.baton.election.internal.standby.StandbyMachine.Step;
import io.baton.election.internal.term.Term;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.Texts;
import io.baton.spi.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Executes the effects of {@link StandbyMachine} for one term. On the loop. */
final class StandbyTerm {

    /** The node of the term. */
    interface Owner {

        /** Handles a change of phase. */
        void phaseChanged(Phase phase, Term term);

        /** Leaves the election for a while, after a failure of this node. */
        void backOff();

        /** Ends the term, and stands again. */
        void resign();

        /** Reports a problem of this term. */
        void reportTrouble(String what);

        /** Notes that no problem of a term is left. */
        void troubleResolved();

        /** Returns whether a promotion was started here without a successful demotion since. */
        boolean unclean();

        /** Sets that. */
        void unclean(boolean now);

        /** Notes that an abandoned fencer is still running, or has returned. */
        void fencerStuck(boolean now);
    }

    private static final Loop.Timer NONE = () -> {};
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final int LONGEST_PAUSE_DOUBLINGS = 7;

    private final Term term;
    private final String run;
    private final StandbySetup setup;
    private final StandbyTimings timings;
    private final Breadcrumbs crumbs;
    private final StateTeller states;
    private final StandbyJob job;
    private final ClientLoop loop;
    private final StandbyReport report;
    private final Owner owner;
    private final Runnable ended;

    private Phase phase = Phase.STANDBY;
    private boolean over;
    private boolean resigned;
    private int failures;
    private int fencingFailures;
    private int refusals;
    private String trouble = "";
    private long sweepingSince;
    private @Nullable Item found;
    private @Nullable Item fenced;

    /** Whether the breadcrumb in the store is another node's. */
    private boolean foreign;

    private Loop.Timer pause = NONE;
    private Loop.Timer look = NONE;

    /** The parts of the node that a term needs. */
    record Parts(
            StandbySetup setup,
            String run,
            Breadcrumbs crumbs,
            StateRecord states,
            HookExecutor hands,
            ClientLoop loop,
            StandbyReport report,
            Owner owner) {}

    StandbyTerm(Term term, Parts parts, Runnable ended) {
        this.term = term;
        this.setup = parts.setup();
        this.timings = setup.timings();
        this.run = parts.run();
        this.crumbs = parts.crumbs();
        this.loop = parts.loop();
        this.states = new StateTeller(parts.states(), parts.report(), term, loop);
        this.report = parts.report();
        this.owner = parts.owner();
        this.ended = ended;
        this.job = new StandbyJob(setup.name(), parts.hands(), loop, timings.grace(), new JobEvents());
    }

    void begin() {
        term.afterStopNotified(() -> loop.post(() -> handle(Event.STOP)));
        checkTimeLeft();
        handle(Event.ELECTED);
    }

    /** Replaces {@link #begin} if this term has nothing to do. */
    void endUnstarted() {
        end();
    }

    /** Repeats at once whatever waits for a retry, and forgets failures. */
    void wake() {
        handle(Event.WOKEN);
    }

    /** Returns whether something has failed and waits for a retry. */
    boolean waits() {
        return phase == Phase.PAUSING;
    }

    /** Returns whether a hook is running, which must return before the term can end. */
    boolean hookRuns() {
        return job.isHook();
    }

    /** Returns the thread of a hook or the fencer. Any thread. */
    Optional<Thread> thread() {
        return job.thread();
    }

    private void handle(Event event) {
        if (over) {
            return;
        }
        Phase before = phase;
        Step step = StandbyMachine.step(phase, event);
        phase = step.next();
        if (phase == Phase.SWEEPING && before != phase) {
            sweepingSince = loop.nanoTime();
        }
        if (before == Phase.PAUSING && phase != before) {
            pause.cancel();
            if (event == Event.WOKEN) {
                failures = 0;
                fencingFailures = 0;
                refusals = 0;
            }
        }
        if (phase != before) {
            owner.phaseChanged(phase, term);
            reportPhase(before);
        }
        for (Effect effect : step.effects()) {
            apply(effect);
        }
    }

    /** Publishes the phase in the store, for people. */
    private void reportPhase(Phase before) {
        switch (phase) {
            case READING -> {
                if (before == Phase.STANDBY) {
                    states.publish(LeaderState.Phase.STARTING, "");
                }
            }
            case FENCING -> states.publish(LeaderState.Phase.FENCING, fencing());
            case CLEANING, PROMOTING -> states.publish(LeaderState.Phase.STARTING, "");
            case ACTIVE -> states.publish(LeaderState.Phase.ACTIVE, "");
            case CANCELLING, DEMOTING -> states.publish(LeaderState.Phase.STOPPING, "");
            case LEAVING, OVERRUN, FAILED -> states.publish(LeaderState.Phase.FAILED, trouble);
            case STANDBY, CALLED_OFF, PAUSING, CLAIMING, UNCLAIMING, SWEEPING -> {}
        }
    }

    private String fencing() {
        String who = found == null ? "" : BreadcrumbText.decode(found).id();
        return fencingFailures == 0 ? who : who + ", after " + fencingFailures + " failures: " + trouble;
    }

    private void reportTrouble(String what) {
        trouble = Texts.shortened(what);
        owner.reportTrouble(trouble);
        if (phase == Phase.FENCING) {
            states.publishDetail(trouble);
        }
    }

    private void apply(Effect effect) {
        switch (effect) {
            case INTERRUPT -> job.interrupt();
            case READ -> answered(crumbs.read(), this::read);
            case FENCE -> fence();
            case CLAIM -> answered(crumbs.claim(term.guard(), found, own()), this::breadcrumbWritten);
            case PROMOTE -> promote();
            case DEMOTE -> job.begin(Kind.DEMOTION, () -> setup.demote().run(term), timings.demote());
            case SWEEP -> sweep();
            case PAUSE -> pause();
            case LEAVE -> owner.backOff();
            case END -> {
                if (trouble.isEmpty()) {
                    owner.troubleResolved();
                }
                end();
            }
        }
    }

    // ---- the breadcrumb

    private <T> void answered(CompletableFuture<T> answer, Consumer<T> to) {
        Futures.onDone(answer, (value, failure) -> {
            boolean open = loop.post(() -> {
                if (failure == null) {
                    to.accept(value);
                } else {
                    unanswered(failure);
                }
            });
            if (!open) {
                endWithoutLoop();
            }
        });
    }

    private void unanswered(Throwable failure) {
        if (!over) {
            Throwable why = Futures.cause(failure);
            reportTrouble("the breadcrumb could not be read or written: " + why);
            if (!Futures.isTransient(why)) {
                refusals++;
            }
            handle(refusals < timings.fencingAttempts() ? Event.UNSURE : Event.EXHAUSTED);
        }
    }

    private Breadcrumb own() {
        Instant now = Instant.ofEpochMilli(loop.wallMillis());
        return new Breadcrumb(setup.id(), setup.address(), term.term(), run, Optional.of(now));
    }

    private void read(Optional<Item> answer) {
        found = answer.orElse(null);
        foreign = false;
        if (found == null) {
            handle(clear());
            return;
        }
        Breadcrumb last = BreadcrumbText.decode(found);
        foreign = !last.run().equals(run);
        if (fenced != null && fenced.revision().equals(found.revision())) {
            handle(clear());
            return;
        }
        if (!foreign) {
            handle(last.term() == term.term() ? Event.CLAIMED : owner.unclean() ? Event.UNCLEAN : Event.CLEAR);
        } else if (last.term() > term.term()) {
            // Only a leader writes one. So this node no longer leads, and must not fence the node that does.
            reportTrouble(
                    "there is a breadcrumb of a later term, of " + last
                            + ": this node leads no more, or the record comes from another store and has to be removed by hand");
            handle(Event.UNSURE);
        } else if (setup.fencer() == null) {
            reportTrouble(last + " has not gone cleanly, and is passed over without fencing: " + setup.unfenced());
            handle(clear());
        } else {
            // An answer that was handled after a pause of this process proves nothing about who is active now.
            handle(tooLate() ? Event.UNSURE : Event.SUSPECT);
        }
    }

    /** This node's own failed demotion is repeated in any case, whatever became of its breadcrumb. */
    private Event clear() {
        return owner.unclean() ? Event.UNCLEAN : Event.CLEAR;
    }

    private void breadcrumbWritten(boolean applied) {
        refusals = 0;
        if (!applied) {
            handle(Event.UNSURE);
            return;
        }
        foreign = false;
        if (tooLate()) {
            // The answer was handled after a pause of this process: promotion is too late, and the breadcrumb is
            // removed.
            handle(Event.STOP);
        }
        handle(Event.CLAIMED);
    }

    private void sweep() {
        if (foreign) {
            // This node has cleaned up after itself and was stopped before it was promoted. What stands is not its own.
            handle(Event.SWEPT);
        } else {
            answered(crumbs.removeOwn(term.guard()), this::breadcrumbRemoved);
        }
    }

    private void breadcrumbRemoved(boolean applied) {
        if (applied) {
            handle(Event.SWEPT);
        } else {
            breadcrumbKept("this node leads no more");
        }
    }

    private void breadcrumbKept(String why) {
        if (phase == Phase.SWEEPING) {
            reportTrouble("the breadcrumb stays, so that the next active one has this node fenced: " + why);
            handle(Event.KEPT);
        }
    }

    private void pause() {
        if (phase == Phase.SWEEPING
                && loop.nanoTime() - sweepingSince > timings.stop().toNanos()) {
            breadcrumbKept("the store could not be written in time");
            return;
        }
        Duration least = FIRST_PAUSE.multipliedBy(1L << Math.min(failures++, LONGEST_PAUSE_DOUBLINGS));
        pause = loop.after(loop.jittered(least), () -> handle(Event.AGAIN));
    }

    // ---- hooks and the fencer

    private void promote() {
        owner.unclean(true);
        job.begin(Kind.PROMOTION, unlessTooLate(() -> setup.promote().run(term)), timings.promote());
    }

    /** Checks again on the job's thread, which may start late: another node may be active by then. */
    private HookExecutor.Task unlessTooLate(HookExecutor.Task task) {
        return () -> {
            if (term.stopReason().isPresent()) {
                throw new NotCalledException("this node was told to stop before it came to that");
            }
            if (tooLate()) {
                throw new NotCalledException("this node was not certain to lead for long enough when it came to that");
            }
            task.run();
        };
    }

    private boolean tooLate() {
        return term.remaining().compareTo(timings.stop()) < 0;
    }

    private void fence() {
        Fencer fencer = setup.fencer();
        Item item = found;
        if (fencer == null || item == null) {
            throw new IllegalStateException("nobody is to be fenced in " + phase);
        }
        Breadcrumb last = BreadcrumbText.decode(item);
        report.fencingStarted(last, fencingFailures + 1);
        job.begin(Kind.FENCER, unlessTooLate(() -> fencer.fence(last)), timings.fence());
    }

    // ---- the remaining time

    /**
     * Stops an active node while it is certain to lead for as long as stopping may take, even without news from the
     * store.
     */
    private void checkTimeLeft() {
        Duration left = term.remaining();
        if (phase == Phase.SWEEPING && left.isZero()) {
            breadcrumbKept("this node leads no more");
        } else if (phase == Phase.UNCLAIMING && left.isZero()) {
            handle(Event.UNSURE);
        } else if (!resigned && tooLate()) {
            resigned = true;
            owner.resign();
        }
        if (!over) {
            look = loop.after(StandbyTimings.LOOK, this::checkTimeLeft);
        }
    }

    /** Ends what waits only for as long as the hold lasts. */
    void holdEnded() {
        if (phase == Phase.SWEEPING || phase == Phase.UNCLAIMING) {
            look.cancel();
            checkTimeLeft();
        }
    }

    private void end() {
        over = true;
        pause.cancel();
        look.cancel();
        states.end();
        ended.run();
    }

    /** Nothing is left to do after the end of the coordinator; any thread then, as the loop has ended. */
    private void endWithoutLoop() {
        if (!over) {
            end();
        }
    }

    /** A hook or the fencer was not called, because it was too late. */
    private static final class NotCalledException extends IllegalStateException {

        private static final long serialVersionUID = 1;

        NotCalledException(String why) {
            super(why);
        }
    }

    /** Handles the results of hooks and the fencer. */
    private final class JobEvents implements StandbyJob.Events {

        @Override
        public void overdue(Kind kind, Duration budget) {
            reportTrouble(kind + " has not returned within " + Texts.of(budget));
            if (kind == Kind.FENCER) {
                report.fencerOverdue();
            }
            handle(Event.OVERDUE);
        }

        @Override
        public void returned(Kind kind, @Nullable Throwable thrown) {
            switch (kind) {
                case FENCER -> fencer(thrown);
                case PROMOTION -> promotion(thrown);
                case DEMOTION -> demotion(thrown);
            }
        }

        @Override
        public void abandoned() {
            reportTrouble("the fencer goes on though it was interrupted; this node does not stand until it returns");
            report.fencerAbandoned();
            owner.fencerStuck(true);
            handle(Event.EXHAUSTED);
        }

        @Override
        public void returnedLate() {
            owner.fencerStuck(false);
        }

        @Override
        public void outlived() {
            endWithoutLoop();
        }

        private void fencer(@Nullable Throwable thrown) {
            boolean called = !(thrown instanceof NotCalledException);
            report.fencerReturned(thrown, phase == Phase.CALLED_OFF || !called);
            if (thrown == null) {
                fenced = found;
                handle(owner.unclean() ? Event.UNCLEAN : Event.FENCED);
                return;
            }
            if (!called) {
                // The fencer has not failed. The term is about to end, or there is time again to fence.
                handle(Event.UNFENCED);
                return;
            }
            fencingFailures++;
            if (phase == Phase.FENCING && found != null) {
                reportTrouble("fencing " + BreadcrumbText.decode(found) + " has failed " + fencingFailures + " of "
                        + timings.fencingAttempts() + " times: " + thrown);
            }
            handle(fencingFailures < timings.fencingAttempts() ? Event.UNFENCED : Event.EXHAUSTED);
        }

        private void promotion(@Nullable Throwable thrown) {
            if (thrown != null && phase == Phase.PROMOTING) {
                reportTrouble(Kind.PROMOTION + " has failed: " + thrown);
            }
            handle(thrown == null ? Event.RETURNED : Event.THREW);
        }

        private void demotion(@Nullable Throwable thrown) {
            if (thrown == null) {
                owner.unclean(false);
                handle(Event.RETURNED);
            } else {
                reportTrouble(Kind.DEMOTION + " has failed: " + thrown);
                handle(Event.THREW);
            }
        }
    }
}
