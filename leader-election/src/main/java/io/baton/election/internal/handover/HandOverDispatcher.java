package io.baton.election.internal.handover;

import io.baton.ElectionTelemetry.HandOver;
import io.baton.Hold;
import io.baton.Subscription;
import io.baton.election.Candidate;
import io.baton.election.HandOverException;
import io.baton.election.Pause;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.recipe.Texts;
import io.baton.recipe.UnprintableException;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidacy's part in hand-overs. As leader it handles requests and hands over; as candidate it answers offers. On
 * the loop.
 */
public final class HandOverDispatcher {

    /** The candidacy. */
    public interface Owner {
        State machineState();

        /** Returns the id of its present entry. */
        String stand();

        /** Handles an agreement: the work is to stop in favour of another candidate. */
        void agreed();

        /** Handles the store's answer whether the other candidate leads. */
        void transferred();

        /** Handles a possible change of the record. */
        void recordChanged();
    }

    private static final Logger log = LoggerFactory.getLogger(HandOverDispatcher.class);

    private final HandOverRecord handOverRecord;
    private final LeftHandOver left;
    private final ElectionLine line;
    private final Candidate candidate;
    private final Supplier<Optional<Pause>> pause;
    private final Owner owner;

    private Subscription watching = () -> {};
    private boolean fresh;
    private boolean asking;
    private String answered = "";
    private String last = "";
    private String lastFailure = "";
    private HandOverRecord.@Nullable Seen seen;
    private @Nullable Hold hold;
    private @Nullable LeaderHandOver current;

    /**
     * Observes nothing yet.
     *
     * @param pause the present pause, during which hand-overs are refused
     */
    public HandOverDispatcher(ElectionLine line, Candidate candidate, Supplier<Optional<Pause>> pause, Owner owner) {
        this.handOverRecord = new HandOverRecord(line);
        this.left = new LeftHandOver(handOverRecord);
        this.line = line;
        this.candidate = candidate;
        this.pause = pause;
        this.owner = owner;
    }

    /** Starts to observe the record; on shared paths there is none. */
    public void begin() {
        if (!line.exact()) {
            watching = handOverRecord.observe(now -> {
                seen = now;
                owner.recordChanged();
                onRecord();
            });
        }
    }

    public void end() {
        watching.close();
    }

    /** Returns whether the record has been seen. */
    boolean known() {
        return seen != null;
    }

    /** Returns the pin in the record, as last seen. */
    Optional<Pin> pin() {
        return seen == null ? Optional.empty() : seen.note().flatMap(HandOverNote::pin);
    }

    /** Returns a unique id for an entry. */
    public String newStandId() {
        return handOverRecord.number();
    }

    /** Handles the candidate's election, with this hold. */
    public void elected(Hold by) {
        hold = by;
        fresh = true;
        last = "";
        onRecord();
    }

    /** Handles the end of the term. */
    public void termEnded() {
        hold = null;
        left.stop();
    }

    /** Hands over on request of this process. */
    public CompletableFuture<Void> handOver(String id, Duration within) {
        String refusal = refusal();
        Hold by = hold;
        if (by == null || !refusal.isEmpty()) {
            report(id, HandOver.Phase.REFUSED, Duration.ZERO, refusal);
            return CompletableFuture.failedFuture(new HandOverException(refusal));
        }
        HandOverNote request = HandOverNote.ask(handOverRecord.number(), id, within);
        return begin(by, request, Optional.empty());
    }

    private String refusal() {
        if (line.exact()) {
            return NOT_AT_EXACT_PATHS;
        }
        if (current != null) {
            return "a hand-over to '" + current.candidate() + "' is under way";
        }
        if (pause.get().isPresent()) {
            return paused(pause.get().get());
        }
        return owner.machineState() == State.LEADING && hold != null
                ? ""
                : candidate + " does not lead, or its work has been told to stop";
    }

    private static String paused(Pause pause) {
        return "the election is " + pause + "; it has to be resumed first";
    }

    static final String NOT_AT_EXACT_PATHS =
            "there is no handing over at an exact path: what stands there may be another"
                    + " program's, which would not come back if it were removed, and does not say whether it is ready";

    private CompletableFuture<Void> begin(Hold by, HandOverNote request, Optional<HandOverRecord.Seen> asked) {
        LeaderHandOver begun = new LeaderHandOver(handOverRecord, by, request, asked, new LeaderHandOver.Events() {
            @Override
            public void agreed() {
                owner.agreed();
            }

            @Override
            public void transferred() {
                owner.transferred();
            }

            @Override
            public void ended() {
                current = null;
                onRecord();
            }
        });
        log.info("{} of election '{}' is to hand over to '{}'", candidate, line.name(), request.to());
        current = begun;
        last = begun.number();
        lastFailure = "it is over, and the store has not taken its outcome";
        long begunNanos = line.loop().nanoTime();
        report(request.to(), HandOver.Phase.STARTED, Duration.ZERO, "");
        Futures.onDone(begun.result(), (done, failure) -> {
            Duration took = Duration.ofNanos(line.loop().nanoTime() - begunNanos);
            if (failure != null) {
                lastFailure = String.valueOf(failure.getMessage());
                log.info("The hand-over to '{}' failed: {}", request.to(), failure.getMessage());
                report(request.to(), HandOver.Phase.FAILED, took, lastFailure);
            } else {
                report(request.to(), HandOver.Phase.DONE, took, "");
            }
        });
        begun.begin();
        return begun.result();
    }

    private void report(String to, HandOver.Phase phase, Duration took, String why) {
        line.report(() -> {
            var event = new HandOver(handOverRecord.now(), line.name(), candidate.id(), to, phase, took, why);
            return listener -> listener.handOver(event);
        });
    }

    /** Transfers the leadership as agreed; the work has stopped. */
    public void transfer() {
        if (current == null) {
            throw new IllegalStateException("nothing is agreed");
        }
        current.transfer();
    }

    /** Cancels the current hand-over, if there is one. */
    public void cancel(String why) {
        if (current != null) {
            current.cancel(why);
        }
    }

    // ---- the record

    private void onRecord() {
        Optional<HandOverNote> note = seen == null ? Optional.empty() : seen.note();
        boolean first = fresh;
        fresh = fresh && seen == null;
        if (seen == null || note.isEmpty()) {
            return;
        }
        switch (owner.machineState()) {
            case STANDING -> asCandidate(seen, note.get());
            case LEADING, STOPPING, HANDING_OVER, PASSING -> asLeader(seen, note.get(), first);
            case IDLE, DEPOSED, OVER -> {}
        }
    }

    private void asLeader(HandOverRecord.Seen now, HandOverNote note, boolean first) {
        if (hold == null) {
            return;
        }
        boolean leads = owner.machineState() == State.LEADING;
        Optional<String> own = Optional.of(last).filter(number -> !number.isEmpty());
        String bar = refusalOf(note);
        HandOverRules.ForLeader action = HandOverRules.leader(note, first, leads, own, current != null, !bar.isEmpty());
        if (action != HandOverRules.ForLeader.CLEAR_AWAY && action != HandOverRules.ForLeader.REFUSE) {
            left.stop();
        }
        switch (action) {
            case NOTHING -> {}
            case BEGIN -> {
                var unused = begin(hold, note, Optional.of(now));
            }
            case REFUSE ->
                left.fail(
                        now,
                        note.failed(bar),
                        line.peer(hold),
                        true,
                        () -> report(note.to(), HandOver.Phase.REFUSED, Duration.ZERO, bar));
            case GO_ON -> {
                if (current != null) {
                    current.ready(now);
                }
            }
            case GIVE_UP -> {
                if (current != null) {
                    current.refused(note.why());
                }
            }
            case CLEAR_AWAY -> {
                boolean mine = last.equals(note.number());
                String why = mine
                        ? lastFailure
                        : first || leads ? "the leadership has changed meanwhile" : "the leader is stopping";
                left.fail(now, note.failed(why), line.peer(hold), !mine, () -> {});
            }
        }
    }

    /** Returns the objection to a request: a pause, or a pin, which a priority must not undo. */
    private String refusalOf(HandOverNote note) {
        if (pause.get().isPresent()) {
            return paused(pause.get().get());
        }
        boolean byPriority = note.wish().isEmpty();
        return note.pin()
                .filter(pin -> byPriority && pin.holds(owner.stand(), handOverRecord.now()))
                .map(Pin::text)
                .orElse("");
    }

    private void asCandidate(HandOverRecord.Seen offer, HandOverNote note) {
        if (HandOverRules.offeredTo(note, owner.stand()) && !answered.equals(note.number())) {
            answered = note.number();
            if (asking) {
                answer(offer, note, candidate + " has not said yet whether it is ready");
            } else {
                askCandidate(offer, note);
            }
        }
    }

    /** Asks once at a time: one that does not return would take a further thread with each offer. */
    private void askCandidate(HandOverRecord.Seen offer, HandOverNote note) {
        asking = line.callbacks().run(() -> {
            String refusal = refusalOfCandidate();
            line.loop().post(() -> {
                asking = false;
                answer(offer, note, refusal);
            });
        });
    }

    /** Runs users' code, not on the loop. What it throws is cut: the answer has to fit into the record. */
    private String refusalOfCandidate() {
        try {
            return candidate.ready().getAsBoolean() ? "" : candidate + " is not ready";
        } catch (Throwable any) {
            Throwable thrown = UnprintableException.printable(any);
            log.warn("{} was asked whether it is ready, and threw", candidate, thrown);
            return Texts.shortened(candidate + " could not tell whether it is ready: " + thrown);
        }
    }

    /** The candidate's entry guards its answer, as proof that the candidate still stands there and is in contact. */
    private void answer(HandOverRecord.Seen offer, HandOverNote note, String refusal) {
        if (owner.machineState() != State.STANDING || !HandOverRules.offeredTo(note, owner.stand())) {
            return;
        }
        HandOverNote.Offer mine = note.offer().orElseThrow();
        Peer entry = line.peer(mine.entry(), mine.order());
        HandOverNote reply = refusal.isEmpty() ? note.ready() : note.failed(refusal);
        Futures.onDone(handOverRecord.write(offer, reply, List.of(entry)), (written, failure) -> {
            if (failure != null) {
                log.warn("The offer of a hand-over could not be answered: {}", failure.getMessage());
            }
        });
    }
}
