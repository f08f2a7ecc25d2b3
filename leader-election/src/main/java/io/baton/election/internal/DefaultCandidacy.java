package io.baton.election.internal;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.election.Candidacy;
import io.baton.election.CandidacyState;
import io.baton.election.Candidate;
import io.baton.election.HandOverException;
import io.baton.election.Leadership;
import io.baton.election.Pause;
import io.baton.election.internal.candidacy.CandidacyMachine;
import io.baton.election.internal.candidacy.CandidacyMachine.Effect;
import io.baton.election.internal.candidacy.CandidacyMachine.Event;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.candidacy.CandidacyMachine.Step;
import io.baton.election.internal.candidacy.CandidacyStates;
import io.baton.election.internal.candidacy.Reasons;
import io.baton.election.internal.handover.HandOverCalls;
import io.baton.election.internal.handover.HandOverDispatcher;
import io.baton.election.internal.handover.PriorityTakeover;
import io.baton.election.internal.line.CandidateText;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.term.LeaderWork;
import io.baton.election.internal.term.Term;
import io.baton.election.internal.term.TermReport;
import io.baton.election.internal.term.TermRunner;
import io.baton.election.internal.term.WorkFailures;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.RecipeContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the effects of {@link CandidacyMachine}: joins the line, starts and stops the work, releases the entry. On
 * the loop, except the methods of {@link Candidacy}.
 */
public final class DefaultCandidacy implements Candidacy, Term.Wishes, HandOverDispatcher.Owner, PauseGate.Owner {
    private static final int LONGEST_PAUSE_DOUBLINGS = 8;

    /** The other entry of the same id may be left from a former process of this candidate. */
    private static final int LONGEST_DOUBLED_DOUBLINGS = 6;

    private final ElectionLine line;
    private final Candidate candidate;
    private final LeaderWork work;
    private final ClientLoop loop;
    private final Subscription claim;
    private final PauseGate gate;
    private final HandOverDispatcher handOvers;
    private final PriorityTakeover priorityTakeover;
    private final DuplicateIdCheck duplicateCheck;
    private final CandidacyStates states;
    private final TermReport.Log termLog = new TermReport.Log();
    private final WorkFailures failures;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private State state = State.IDLE;
    private boolean leaving;
    private boolean waitsForResume;
    private boolean inContact;
    private int refusals;
    private String stand = "";
    private long waitingSinceNanos;
    private Subscription drain = () -> {};
    private Subscription contact = () -> {};
    private CompletableFuture<Void> lastRemoval = CompletableFuture.completedFuture(null);
    private @Nullable Attempt attempt;
    private @Nullable LineAcquisition acquisition;
    private @Nullable TermRunner termRunner;
    private volatile @Nullable Term current;
    private volatile @Nullable CoordinationException trouble;

    /**
     * Does not stand yet.
     *
     * @param claim the claim of the id, closed at the end
     */
    public DefaultCandidacy(ElectionLine line, Candidate candidate, LeaderWork duty, Subscription claim) {
        this(line, candidate, duty, claim, LoggerFactory.getLogger(Candidacy.class));
    }

    /** The same, with the log for failures of the work. */
    public DefaultCandidacy(ElectionLine line, Candidate candidate, LeaderWork duty, Subscription claim, Logger log) {
        this.line = line;
        this.candidate = candidate;
        this.work = duty;
        this.loop = line.loop();
        this.claim = claim;
        this.gate = new PauseGate(line, candidate, this);
        this.handOvers = new HandOverDispatcher(line, candidate, gate::pause, this);
        String name = candidate + " in election '" + line.name() + "'";
        this.failures = new WorkFailures(name, loop, log);
        this.priorityTakeover = new PriorityTakeover(line, candidate, this::machineState, handOvers, failures::thrown);
        this.duplicateCheck = new DuplicateIdCheck(line, candidate);
        this.states = new CandidacyStates(line, name);
        this.waitingSinceNanos = loop.nanoTime();
    }

    /** Starts. Any thread. */
    public void start() {
        drain = line.beforeClosing(this::leave);
        contact = line.onContact(this::contactChanged);
        gate.begin();
        handOvers.begin();
        priorityTakeover.begin();
        if (!loop.post(() -> handle(Event.BEGIN))) {
            trouble = RecipeContext.closedException();
            endWithoutLoop();
        }
    }

    /** Ends after the coordinator. Any thread, as the loop has ended. */
    private void endWithoutLoop() {
        states.closeWithoutLoop();
        claim.close();
        ended.complete(null);
    }

    // ---- Candidacy, any thread

    @Override
    public Candidate candidate() {
        return candidate;
    }

    @Override
    public CandidacyState state() {
        return states.present();
    }

    @Override
    public Subscription onChange(Consumer<CandidacyState> listener) {
        return states.add(listener);
    }

    @Override
    public Optional<Leadership> leadership() {
        Term term = current;
        return term != null && term.isActive() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public Optional<CoordinationException> trouble() {
        return Optional.ofNullable(trouble);
    }

    @Override
    public Optional<Pause> pause() {
        return gate.pause();
    }

    @Override
    public CompletableFuture<Void> resign() {
        CompletableFuture<Void> removed = new CompletableFuture<>();
        if (!loop.post(() -> resign(removed))) {
            removed.complete(null);
        }
        return line.callbacks().completeInCallback(removed);
    }

    @Override
    public void handOver(String candidateId, Duration timeout) throws InterruptedException {
        HandOverCalls.checkMayWait(isOnWorkThread());
        HandOverCalls.check(candidateId, timeout);
        HandOverCalls.await(decideHandOver(candidateId, timeout));
    }

    @Override
    public CompletableFuture<Void> handOverAsync(String candidateId, Duration timeout) {
        HandOverCalls.check(candidateId, timeout);
        return line.callbacks().completeInCallback(decideHandOver(candidateId, timeout));
    }

    private boolean isOnWorkThread() {
        Term term = current;
        return term != null && term.isOnWorkThread();
    }

    @Override
    public void close() {
        startLeaving();
        if (!Callbacks.inside() && !isOnWorkThread()) {
            Futures.awaitDone(candidate.stopTimeout().plus(line.closeTimeout()), ended);
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        startLeaving();
        return line.callbacks().completeInCallback(ended);
    }

    /** Work that goes on after the end of the loop ends the candidacy when it returns. */
    private void startLeaving() {
        if (!loop.post(this::leave) && current == null) {
            ended.complete(null);
        }
    }

    /** Completes at the end, on any thread, and not by way of callbacks. */
    public CompletableFuture<Void> ended() {
        return ended;
    }

    // ---- requests

    private void resign(CompletableFuture<Void> removed) {
        if (termRunner == null) {
            removed.complete(null);
        } else {
            propagate(termRunner.removed(), removed);
            handle(Event.RESIGN);
        }
    }

    private CompletableFuture<Void> decideHandOver(String id, Duration timeout) {
        CompletableFuture<Void> decided = new CompletableFuture<>();
        if (!loop.post(() -> propagate(handOvers.handOver(id, timeout), decided))) {
            decided.completeExceptionally(new HandOverException("the coordinator is closed"));
        }
        return decided;
    }

    private CompletionStage<Void> leave() {
        leaving = true;
        handle(Event.CLOSE);
        return ended;
    }

    // ---- events

    private void handle(Event event) {
        if (event == Event.BEGIN && state == State.IDLE && gate.blocks()) {
            waitsForResume = true;
            publishState();
            return;
        }
        Step step = CandidacyMachine.step(state, event, leaving);
        state = step.next();
        publishState();
        for (Effect effect : step.effects()) {
            apply(effect, event);
        }
        priorityTakeover.update();
    }

    /** Publishes the public state, which may have changed. */
    private void publishState() {
        states.changed(CandidacyStates.of(state, inContact, trouble != null, waitsForResume));
    }

    private void contactChanged(boolean now) {
        inContact = now;
        publishState();
    }

    private void apply(Effect effect, Event event) {
        switch (effect) {
            case STAND -> begin();
            case WITHDRAW -> withdraw();
            case START -> requireTermRunner().start(work);
            case STOP -> requireTermRunner().stop(Reasons.toStop(event));
            case RELEASE -> release();
            case CALL_OFF -> handOvers.cancel(Reasons.toCancel(event));
            case PASS -> handOvers.transfer();
            case LAST_RESORT -> requireTermRunner().lastResort(work);
            case PAUSE -> standAgain();
            case END -> end();
        }
    }

    // ---- HandOverDispatcher.Owner

    @Override
    public State machineState() {
        return state;
    }

    @Override
    public String stand() {
        return stand;
    }

    @Override
    public void agreed() {
        handle(Event.AGREED);
    }

    @Override
    public void transferred() {
        handle(Event.PASSED);
    }

    @Override
    public void recordChanged() {
        priorityTakeover.update();
    }

    // ---- PauseGate.Owner

    @Override
    public void pauseChanged() {
        if (state == State.STANDING && gate.blocks()) {
            holdBack();
        } else if (waitsForResume && !gate.blocks()) {
            waitsForResume = false;
            handle(Event.BEGIN);
        }
        priorityTakeover.update();
    }

    private void holdBack() {
        waitsForResume = true;
        handle(Event.HELD_BACK);
    }

    private void begin() {
        Attempt begun = new Attempt();
        attempt = begun;
        try {
            acquisition = line.join(this::payload, begun);
        } catch (CoordinationException tooMany) {
            loop.post(() -> begun.notGranted(Optional.of(tooMany)));
        }
    }

    /** Each entry gets a stand of its own. */
    private byte[] payload(byte[] client) {
        stand = handOvers.newStandId();
        return line.exact() ? CandidateText.encodeShared(candidate) : CandidateText.encode(candidate, stand, client);
    }

    private void withdraw() {
        attempt = null;
        if (acquisition != null) {
            lastRemoval = acquisition.withdraw();
        }
    }

    private void release() {
        TermRunner over = requireTermRunner();
        termRunner = null;
        current = null;
        handOvers.termEnded();
        waitingSinceNanos = loop.nanoTime();
        over.release(line);
        lastRemoval = over.removed();
        failures.termEnded(over.ended());
    }

    private void standAgain() {
        Duration pause = failures.pause(Math.max(failures.consecutive(), refusals), maxDoublings());
        if (pause.isZero()) {
            loop.post(() -> handle(Event.BEGIN));
        } else {
            loop.after(pause, () -> handle(Event.BEGIN));
        }
        failures.retryIn(pause);
    }

    private void idIsDuplicate(CoordinationException found) {
        refused(found);
        handle(Event.DOUBLED);
    }

    private void refused(@Nullable CoordinationException why) {
        refusals++;
        trouble = why;
        if (why != null) {
            line.reportTrouble(cannotStand(), String.valueOf(why.getMessage()));
        }
    }

    private void idIsUnique() {
        if (refusals > 0) {
            line.resolveTrouble(cannotStand());
        }
        refusals = 0;
        trouble = null;
    }

    private String cannotStand() {
        return candidate + " cannot stand in election '" + line.name() + "'";
    }

    private int maxDoublings() {
        return duplicateCheck.known() ? LONGEST_PAUSE_DOUBLINGS : LONGEST_DOUBLED_DOUBLINGS;
    }

    private void end() {
        line.resolveTrouble(cannotStand());
        drain.close();
        contact.close();
        gate.end();
        handOvers.end();
        priorityTakeover.end();
        duplicateCheck.end();
        claim.close();
        propagate(lastRemoval, ended);
    }

    private static void propagate(CompletableFuture<Void> from, CompletableFuture<Void> to) {
        Futures.onDone(from, (done, failure) -> {
            if (failure == null) {
                to.complete(null);
            } else {
                to.completeExceptionally(Futures.cause(failure));
            }
        });
    }

    private TermRunner requireTermRunner() {
        if (termRunner == null) {
            throw new IllegalStateException("nobody leads in " + state);
        }
        return termRunner;
    }

    /** One bid, and the term that may follow. */
    private final class Attempt implements LineAcquisition.Listener, TermRunner.Events {

        private @Nullable Hold first;
        private @Nullable TermRunner own;

        @Override
        public void waiting() {
            if (this != attempt) {
                return;
            }
            String own = stand;
            duplicateCheck.check(
                    own,
                    () -> this == attempt && state == State.STANDING && own.equals(stand),
                    new DuplicateIdCheck.Answer() {
                        @Override
                        public void unique() {
                            DefaultCandidacy.this.idIsUnique();
                            publishState();
                        }

                        @Override
                        public void duplicate(CoordinationException found) {
                            DefaultCandidacy.this.idIsDuplicate(found);
                        }
                    });
        }

        @Override
        public void granted(Hold hold) {
            if (isStanding()) {
                first = hold;
                gate.check(this::isStanding, () -> startTerm(hold));
            }
        }

        private boolean isStanding() {
            return this == attempt && state == State.STANDING;
        }

        private void startTerm(Hold hold) {
            if (gate.blocks()) {
                holdBack();
            } else if (hasEnded(hold.state())) {
                handle(Event.VANISHED);
            } else {
                Term term = new Term(hold, line.callbacks(), DefaultCandidacy.this);
                Duration waited = Duration.ofNanos(loop.nanoTime() - waitingSinceNanos);
                var report = new TermReport(line, candidate, term, waited, termLog);
                TermRunner granted = new TermRunner(term, candidate, loop, report, this);
                own = granted;
                termRunner = granted;
                current = term;
                duplicateCheck.markUnique();
                idIsUnique();
                failures.termStarted(term::isActive);
                handle(Event.GRANTED);
                handOvers.elected(hold);
            }
        }

        @Override
        public void notGranted(Optional<CoordinationException> why) {
            if (this == attempt) {
                DefaultCandidacy.this.refused(why.orElse(null));
                handle(Event.REFUSED);
            }
        }

        @Override
        public void changed(HoldState now, boolean inContact) {
            if (own != null && own == termRunner) {
                own.changed(now, inContact);
            } else if (own == null && first != null && hasEnded(now) && isStanding()) {
                handle(Event.VANISHED);
            }
        }

        private static boolean hasEnded(HoldState now) {
            return now == HoldState.LOST || now == HoldState.RELEASED;
        }

        @Override
        public void endangered() {
            handleIfCurrent(Event.JEOPARDY);
        }

        @Override
        public void lost() {
            handleIfCurrent(Event.LOST);
        }

        @Override
        public void late() {
            handleIfCurrent(Event.LATE);
        }

        @Override
        public void returned() {
            handleIfCurrent(Event.RETURNED);
        }

        @Override
        public void outlived() {
            endWithoutLoop();
            // Afterwards, so that nobody takes the candidacy for ended before its state says so.
            current = null;
        }

        private void handleIfCurrent(Event event) {
            if (own != null && own == termRunner) {
                handle(event);
            }
        }
    }
}
