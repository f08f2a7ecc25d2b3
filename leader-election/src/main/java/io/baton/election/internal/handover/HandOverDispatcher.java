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
 * What a candidacy has to do with hand-overs: as leader it obeys requests and hands over, as candidate it answers offers.
 * On the loop.
 */
public final class HandOverDispatcher {

    /** The candidacy. */
    public interface Owner {
        State machineState();

        /** Tells its present entry from all others. */
        String stand();

        /** The work is to stop in favour of another candidate. */
        void agreed();

        /** The store has answered whether the other one leads. */
        void transferred();

        /** What the record says may have changed. */
        void recordChanged();
    }

    private static final Logger log = LoggerFactory.getLogger(HandOverDispatcher.class);

    private final HandOverRecord handOverRecord;
    private final ElectionLine line;
    private final Candidate candidate;
    private final Supplier<Optional<Pause>> pause;
    private final Owner owner;

    private Subscription watching = () -> {};
    private boolean fresh;
    private String answered = "";
    private String last = "";
    private HandOverRecord.@Nullable Seen seen;
    private @Nullable Hold hold;
    private @Nullable LeaderHandOver current;

    /**
     * Follows nothing yet.
     *
     * @param pause whether the election is paused: then nobody hands over
     */
    public HandOverDispatcher(ElectionLine line, Candidate candidate, Supplier<Optional<Pause>> pause, Owner owner) {
        this.handOverRecord = new HandOverRecord(line);
        this.line = line;
        this.candidate = candidate;
        this.pause = pause;
        this.owner = owner;
    }

    /** Follows the record from now on; on paths that are shared there is none. */
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

    /** Whether the record has been seen. */
    boolean known() {
        return seen != null;
    }

    /** Whose place is pinned, as the record was last seen. */
    Optional<Pin> pin() {
        return seen == null ? Optional.empty() : seen.note().flatMap(HandOverNote::pin);
    }

    /** A name for an entry, which no other has. */
    public String newStandId() {
        return handOverRecord.number();
    }

    /** The candidate leads, by this hold. */
    public void elected(Hold by) {
        hold = by;
        fresh = true;
        last = "";
        onRecord();
    }

    /** The term is over. */
    public void termEnded() {
        hold = null;
    }

    /** Hands over, at the wish of this process. */
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
        long begunNanos = line.loop().nanoTime();
        report(request.to(), HandOver.Phase.STARTED, Duration.ZERO, "");
        Futures.onDone(begun.result(), (done, failure) -> {
            Duration took = Duration.ofNanos(line.loop().nanoTime() - begunNanos);
            if (failure != null) {
                log.info("The hand-over to '{}' failed: {}", request.to(), failure.getMessage());
                report(request.to(), HandOver.Phase.FAILED, took, String.valueOf(failure.getMessage()));
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

    /** The work has stopped, and all is agreed. */
    public void transfer() {
        if (current == null) {
            throw new IllegalStateException("nothing is agreed");
        }
        current.transfer();
    }

    /** Nothing comes of what is under way, if anything is. */
    public void cancel(String why) {
        if (current != null) {
            current.cancel(why);
        }
    }

    // ---- what the record says

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
        switch (HandOverRules.leader(note, first, leads, own, current != null, !bar.isEmpty())) {
            case NOTHING -> {}
            case BEGIN -> {
                var unused = begin(hold, note, Optional.of(now));
            }
            case REFUSE -> {
                Futures.onDone(
                        handOverRecord.write(now, note.failed(bar), List.of(line.peer(hold))), (written, failure) -> {
                            if (failure == null && written) {
                                report(note.to(), HandOver.Phase.REFUSED, Duration.ZERO, bar);
                            }
                        });
            }
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
                String why = first || leads ? "the leadership has changed meanwhile" : "the leader is stopping";
                var unused = handOverRecord.write(now, note.failed(why), List.of(line.peer(hold)));
            }
        }
    }

    /** What speaks against what is asked for: a pause, or that a priority would undo what a person has done. */
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
            line.callbacks().run(() -> {
                String refusal = refusalOfCandidate();
                line.loop().post(() -> answer(offer, note, refusal));
            });
        }
    }

    /** Users' code, elsewhere. */
    private String refusalOfCandidate() {
        try {
            return candidate.ready().getAsBoolean() ? "" : candidate + " is not ready";
        } catch (Throwable thrown) {
            log.warn("{} was asked whether it is ready, and threw", candidate, thrown);
            return candidate + " could not tell whether it is ready: " + thrown;
        }
    }

    /** Guarded by its entry, so that who is ready is proven to stand there, and to be in contact. */
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
