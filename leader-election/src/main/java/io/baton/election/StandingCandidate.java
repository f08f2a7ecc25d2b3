package io.baton.election;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import io.baton.election.CandidacyMachine.Effect;
import io.baton.election.CandidacyMachine.Event;
import io.baton.election.CandidacyMachine.State;
import io.baton.election.CandidacyMachine.Step;
import io.baton.internal.Bid;
import io.baton.internal.Callbacks;
import io.baton.internal.ElectionLine;
import io.baton.internal.OwnLoop;
import io.baton.internal.Waits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what {@link CandidacyMachine} says: bids, has the work begun and stopped, gives the entry back. On the loop,
 * except the methods of {@link Candidacy}.
 */
final class StandingCandidate implements Candidacy {

    /** Work that ends by itself sooner than this is not begun again at once. */
    private static final Duration SHORT_WORK = Duration.ofSeconds(1);

    private static final int LONGEST_PAUSE_DOUBLINGS = 8;

    private final ElectionLine line;
    private final Candidate candidate;
    private final Duty duty;
    private final OwnLoop loop;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private State state = State.IDLE;
    private boolean leaving;
    private int failures;
    private Subscription drain = () -> {};
    private CompletableFuture<Void> lastRemoval = CompletableFuture.completedFuture(null);
    private @Nullable Bid bid;
    private @Nullable Tenure tenure;
    private volatile @Nullable Term current;
    private volatile @Nullable CoordinationException trouble;

    StandingCandidate(ElectionLine line, Candidate candidate, Duty duty) {
        this.line = line;
        this.candidate = candidate;
        this.duty = duty;
        this.loop = line.loop();
    }

    /** Begins. Any thread. */
    void start() {
        drain = line.beforeClosing(this::leave);
        if (!loop.post(() -> on(Event.BEGIN))) {
            trouble = ElectionLine.closed();
            ended.complete(null);
        }
    }

    // ---- Candidacy, any thread

    @Override
    public Candidate candidate() {
        return candidate;
    }

    @Override
    public Optional<Leadership> leadership() {
        Term term = current;
        return term != null && term.goesOn() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public Optional<CoordinationException> trouble() {
        return Optional.ofNullable(trouble);
    }

    @Override
    public CompletableFuture<Void> resign() {
        CompletableFuture<Void> removed = new CompletableFuture<>();
        if (!loop.post(() -> resign(removed))) {
            removed.complete(null);
        }
        return line.callbacks().handOver(removed);
    }

    @Override
    public void close() {
        CompletableFuture<Void> done = closeAsync();
        Term term = current;
        if (!Callbacks.inside() && (term == null || !term.isWorkedByThisThread())) {
            Waits.atMost(candidate.stopTimeout().plus(line.closeTimeout()), done);
        }
    }

    @Override
    public CompletableFuture<Void> closeAsync() {
        if (!loop.post(this::leave)) {
            ended.complete(null);
        }
        return line.callbacks().handOver(ended);
    }

    /** Completes when it is over, on whatever thread, and without the way by callbacks. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    // ---- what is asked for

    private void resign(CompletableFuture<Void> removed) {
        if (tenure == null) {
            removed.complete(null);
        } else {
            passOn(tenure.removed(), removed);
            on(Event.RESIGN);
        }
    }

    private CompletionStage<Void> leave() {
        leaving = true;
        on(Event.CLOSE);
        return ended;
    }

    // ---- what happens

    private void on(Event event) {
        Step step = CandidacyMachine.step(state, event, leaving);
        state = step.next();
        for (Effect effect : step.effects()) {
            carryOut(effect, event);
        }
    }

    private void carryOut(Effect effect, Event event) {
        switch (effect) {
            case STAND -> stand();
            case WITHDRAW -> withdraw();
            case START -> theTenure().start(duty);
            case STOP -> theTenure().stop(reason(event));
            case RELEASE -> release();
            case LAST_RESORT -> theTenure().lastResort(duty);
            case PAUSE -> pause();
            case END -> end();
        }
    }

    private static StopReason reason(Event event) {
        return switch (event) {
            case JEOPARDY -> StopReason.JEOPARDY;
            case LOST -> StopReason.LOST;
            case RESIGN -> StopReason.RESIGNED;
            case CLOSE -> StopReason.CLOSED;
            case BEGIN, GRANTED, REFUSED, RETURNED, LATE -> throw new IllegalStateException("stopped by " + event);
        };
    }

    private void stand() {
        Attempt attempt = new Attempt();
        try {
            bid = line.stand(this::payload, attempt);
        } catch (CoordinationException tooMany) {
            loop.post(() -> attempt.refused(Optional.of(tooMany)));
        }
    }

    private byte[] payload(byte[] client) {
        return line.exact() ? CandidateText.encodeShared(candidate) : CandidateText.encode(candidate, client);
    }

    private void withdraw() {
        if (bid != null) {
            lastRemoval = bid.withdraw();
        }
    }

    private void release() {
        Tenure over = theTenure();
        tenure = null;
        current = null;
        failures = over.endedByItself() && over.lasted().compareTo(SHORT_WORK) < 0 ? failures + 1 : 0;
        over.release();
        lastRemoval = over.removed();
    }

    private void pause() {
        if (failures == 0) {
            loop.post(() -> on(Event.BEGIN));
        } else {
            Duration least = Duration.ofMillis(10L << Math.min(failures, LONGEST_PAUSE_DOUBLINGS));
            loop.after(loop.jittered(least), () -> on(Event.BEGIN));
        }
    }

    private void end() {
        drain.close();
        passOn(lastRemoval, ended);
    }

    private static void passOn(CompletableFuture<Void> from, CompletableFuture<Void> to) {
        Waits.onDone(from, (done, failure) -> {
            if (failure == null) {
                to.complete(null);
            } else {
                to.completeExceptionally(Waits.cause(failure));
            }
        });
    }

    private Tenure theTenure() {
        if (tenure == null) {
            throw new IllegalStateException("nobody leads in " + state);
        }
        return tenure;
    }

    /** One bid, and the tenure that comes of it. */
    private final class Attempt implements Bid.Listener, Tenure.Events {

        private @Nullable Tenure own;

        @Override
        public void granted(Hold hold) {
            if (state == State.STANDING) {
                Term term = new Term(hold, line.callbacks(), StandingCandidate.this::resign);
                Tenure granted = new Tenure(term, candidate, loop, this);
                own = granted;
                tenure = granted;
                current = term;
                trouble = null;
                on(Event.GRANTED);
            }
        }

        @Override
        public void refused(Optional<CoordinationException> why) {
            trouble = why.orElse(null);
            failures++;
            on(Event.REFUSED);
        }

        @Override
        public void changed(HoldState now) {
            if (own != null && own == tenure) {
                own.changed(now);
            }
        }

        @Override
        public void endangered() {
            happens(Event.JEOPARDY);
        }

        @Override
        public void lost() {
            happens(Event.LOST);
        }

        @Override
        public void late() {
            happens(Event.LATE);
        }

        @Override
        public void returned() {
            happens(Event.RETURNED);
        }

        private void happens(Event event) {
            if (own != null && own == tenure) {
                on(event);
            }
        }
    }
}
