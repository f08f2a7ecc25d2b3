package io.baton.election;

import io.baton.Item;
import io.baton.election.StandbyMachine.Effect;
import io.baton.election.StandbyMachine.Event;
import io.baton.election.StandbyMachine.Phase;
import io.baton.election.StandbyMachine.Step;
import io.baton.internal.OwnLoop;
import io.baton.internal.Texts;
import io.baton.internal.Waits;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Carries out what {@link StandbyMachine} says, for one term. On the loop. */
final class StandbyTerm {

    /** The node whose term it is. */
    interface Owner {

        /** Has come to another phase. */
        void became(Phase phase, Term term);

        /** Leaves the election for a while, as this node had no success. */
        void rest();

        /** Ends the term, and stands again. */
        void resign();

        /** Something is wrong with this term. */
        void trouble(String what);

        /** Whether a promotion was begun here that no demotion has made good. */
        boolean unclean();

        /** Notes that. */
        void unclean(boolean now);

        /** A fencer goes on though it was given up, or has returned in the end. */
        void fencerStuck(boolean now);
    }

    private enum Kind {
        FENCER,
        PROMOTION,
        DEMOTION
    }

    private static final Loop.Timer NONE = () -> {};
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final int LONGEST_PAUSE_DOUBLINGS = 7;

    private final Term term;
    private final Breadcrumb own;
    private final StandbySetup setup;
    private final StandbyTimings timings;
    private final Breadcrumbs crumbs;
    private final Hands hands;
    private final OwnLoop loop;
    private final Owner owner;
    private final Runnable ended;

    private Phase phase = Phase.STANDBY;
    private boolean over;
    private boolean resigned;
    private int failures;
    private int fencingFailures;
    private long sweepingSince;
    private @Nullable Item found;
    private @Nullable Item fenced;
    private @Nullable Kind kind;
    private Loop.Timer budget = NONE;
    private Loop.Timer pause = NONE;
    private Loop.Timer look = NONE;
    private volatile Hands.@Nullable Job job;

    /** What a term has of its node. */
    record Parts(StandbySetup setup, String run, Breadcrumbs crumbs, Hands hands, OwnLoop loop, Owner owner) {}

    StandbyTerm(Term term, Parts parts, Runnable ended) {
        this.term = term;
        this.setup = parts.setup();
        this.timings = setup.timings();
        this.own = new Breadcrumb(setup.id(), setup.address(), term.term(), parts.run());
        this.crumbs = parts.crumbs();
        this.hands = parts.hands();
        this.loop = parts.loop();
        this.owner = parts.owner();
        this.ended = ended;
    }

    void begin() {
        term.onceTold(() -> loop.post(() -> on(Event.STOP)));
        look();
        on(Event.ELECTED);
    }

    /** Instead of {@link #begin}: there is nothing to be done in this term. */
    void neverBegun() {
        end();
    }

    /** Whether a hook is at work, which has to return before the term can end. */
    boolean hookRuns() {
        return kind == Kind.PROMOTION || kind == Kind.DEMOTION;
    }

    /** Where a hook or the fencer runs. Any thread. */
    Optional<Thread> thread() {
        Hands.Job running = job;
        return running == null ? Optional.empty() : running.thread();
    }

    private void on(Event event) {
        if (over) {
            return;
        }
        Phase before = phase;
        Step step = StandbyMachine.step(phase, event);
        phase = step.next();
        if (phase == Phase.SWEEPING && before != phase) {
            sweepingSince = loop.nanoTime();
        }
        if (phase != before) {
            owner.became(phase, term);
        }
        for (Effect effect : step.effects()) {
            carryOut(effect);
        }
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case INTERRUPT -> interrupt();
            case READ -> answered(crumbs.read(), this::read);
            case FENCE -> fence();
            case CLAIM -> answered(crumbs.claim(term.guard(), found, own), this::claimed);
            case PROMOTE -> promote();
            case DEMOTE -> run(Kind.DEMOTION, "demote", () -> setup.demote().run(term), timings.demote());
            case SWEEP -> answered(crumbs.sweep(term.guard()), this::swept);
            case PAUSE -> pause();
            case LEAVE -> owner.rest();
            case END -> end();
        }
    }

    // ---- the breadcrumb

    private <T> void answered(CompletableFuture<T> answer, BiConsumer<@Nullable T, @Nullable Throwable> to) {
        Waits.onDone(
                answer,
                (value, failure) -> loop.post(() -> {
                    if (failure != null && !over) {
                        owner.trouble("the breadcrumb could not be read or written: " + Waits.cause(failure));
                    }
                    to.accept(value, failure);
                }));
    }

    private void read(@Nullable Optional<Item> answer, @Nullable Throwable failure) {
        if (failure != null || answer == null) {
            on(Event.UNSURE);
            return;
        }
        found = answer.orElse(null);
        if (found == null || (fenced != null && fenced.revision().equals(found.revision()))) {
            on(Event.CLEAR);
            return;
        }
        Breadcrumb last = BreadcrumbText.decode(found);
        if (last.run().equals(own.run())) {
            on(last.term() == own.term() ? Event.CLAIMED : owner.unclean() ? Event.UNCLEAN : Event.CLEAR);
        } else if (setup.fencer() == null) {
            owner.trouble(last + " has not gone cleanly, and is passed over without fencing: " + setup.unfenced());
            on(Event.CLEAR);
        } else {
            on(Event.SUSPECT);
        }
    }

    private void claimed(@Nullable Boolean applied, @Nullable Throwable failure) {
        if (Boolean.TRUE.equals(applied) && tooLate()) {
            // An answer that was looked at after a pause: nothing is promoted any more, and the breadcrumb goes.
            on(Event.STOP);
        }
        on(Boolean.TRUE.equals(applied) ? Event.CLAIMED : Event.UNSURE);
    }

    private void swept(@Nullable Boolean applied, @Nullable Throwable failure) {
        if (applied == null) {
            on(Event.UNSURE);
        } else if (applied) {
            on(Event.SWEPT);
        } else {
            kept("this node leads no more");
        }
    }

    private void kept(String why) {
        if (phase == Phase.SWEEPING) {
            owner.trouble("the breadcrumb stays, so that the next active one has this node fenced: " + why);
            on(Event.KEPT);
        }
    }

    private void pause() {
        if (phase == Phase.SWEEPING
                && loop.nanoTime() - sweepingSince > timings.stop().toNanos()) {
            kept("the store could not be written in time");
            return;
        }
        Duration least = FIRST_PAUSE.multipliedBy(1L << Math.min(failures++, LONGEST_PAUSE_DOUBLINGS));
        pause = loop.after(loop.jittered(least), () -> on(Event.AGAIN));
    }

    // ---- hooks and the fencer

    private void promote() {
        owner.unclean(true);
        run(Kind.PROMOTION, "promote", this::promoteUnlessTooLate, timings.promote());
    }

    /** On the hook's thread, which may begin late. */
    private void promoteUnlessTooLate() throws Exception {
        if (tooLate()) {
            throw new IllegalStateException("this node was not certain to lead for long enough when it came to that");
        }
        setup.promote().run(term);
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
        run(Kind.FENCER, "fence", () -> fencer.fence(last), timings.fence());
    }

    private void run(Kind what, String name, Hands.Task task, Duration limit) {
        kind = what;
        Hands.Job[] begun = new Hands.Job[1];
        begun[0] = hands.begin("baton-" + name + "-" + setup.name(), task, thrown -> returned(what, begun[0], thrown));
        job = begun[0];
        budget = loop.after(limit, () -> overdue(what, limit));
    }

    private void overdue(Kind what, Duration limit) {
        owner.trouble(text(what) + " has not returned within " + Texts.of(limit));
        on(Event.OVERDUE);
    }

    private void interrupt() {
        Hands.Job running = job;
        if (running != null) {
            running.interrupt();
            budget.cancel();
            if (kind == Kind.FENCER) {
                budget = loop.after(timings.grace(), this::abandon);
            }
        }
    }

    /** A fencer that does not return holds up nobody: it is not an active one that has to stop. */
    private void abandon() {
        owner.trouble("the fencer goes on though it was interrupted; this node does not stand until it returns");
        owner.fencerStuck(true);
        job = null;
        kind = null;
        on(Event.EXHAUSTED);
    }

    private void returned(Kind what, Hands.@Nullable Job which, @Nullable Throwable thrown) {
        if (which != job) {
            owner.fencerStuck(false);
            return;
        }
        budget.cancel();
        job = null;
        kind = null;
        switch (what) {
            case FENCER -> fencerReturned(thrown);
            case PROMOTION -> promotionReturned(thrown);
            case DEMOTION -> demotionReturned(thrown);
        }
    }

    private void fencerReturned(@Nullable Throwable thrown) {
        if (thrown == null) {
            fenced = found;
            on(Event.FENCED);
            return;
        }
        fencingFailures++;
        if (phase == Phase.FENCING && found != null) {
            owner.trouble("fencing " + BreadcrumbText.decode(found) + " has failed " + fencingFailures + " of "
                    + timings.fencingAttempts() + " times: " + thrown);
        }
        on(fencingFailures < timings.fencingAttempts() ? Event.UNFENCED : Event.EXHAUSTED);
    }

    private void promotionReturned(@Nullable Throwable thrown) {
        if (thrown != null && phase == Phase.PROMOTING) {
            owner.trouble(text(Kind.PROMOTION) + " has failed: " + thrown);
        }
        on(thrown == null ? Event.RETURNED : Event.THREW);
    }

    private void demotionReturned(@Nullable Throwable thrown) {
        if (thrown == null) {
            owner.unclean(false);
            on(Event.RETURNED);
        } else {
            owner.trouble(text(Kind.DEMOTION) + " has failed: " + thrown);
            on(Event.THREW);
        }
    }

    private static String text(Kind what) {
        return switch (what) {
            case FENCER -> "the fencer";
            case PROMOTION -> "the hook that promotes";
            case DEMOTION -> "the hook that demotes";
        };
    }

    // ---- what is left of the term

    /** Also without a word from the store: an active one stops while it is certain to lead for as long as that may take. */
    private void look() {
        Duration left = term.remaining();
        if (phase == Phase.SWEEPING && left.isZero()) {
            kept("this node leads no more");
        } else if (phase == Phase.UNCLAIMING && left.isZero()) {
            on(Event.UNSURE);
        } else if (!resigned && tooLate()) {
            resigned = true;
            owner.resign();
        }
        if (!over) {
            look = loop.after(StandbyTimings.LOOK, this::look);
        }
    }

    private void end() {
        over = true;
        budget.cancel();
        pause.cancel();
        look.cancel();
        ended.run();
    }
}
