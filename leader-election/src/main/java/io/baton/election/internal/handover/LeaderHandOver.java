package io.baton.election.internal.handover;

import io.baton.Hold;
import io.baton.OutcomeUnknownException;
import io.baton.election.HandOverException;
import io.baton.election.internal.handover.HandOverMachine.Effect;
import io.baton.election.internal.handover.HandOverMachine.Event;
import io.baton.election.internal.handover.HandOverMachine.State;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.CandidateList;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One hand-over on the leader's side. It finds the candidate, makes the offer, waits for the answer, removes the
 * entries between, stops the work, and leaves in the candidate's favour. {@link HandOverMachine} decides; this class
 * does I/O. On the loop.
 */
final class LeaderHandOver {

    /** Its results. */
    interface Events {
        /** The candidate is ready, and no entry is between: the work is to stop before {@link #transfer}. */
        void agreed();

        /** The entry is gone, or is to be released in the usual way. */
        void transferred();

        /** It is over. */
        void ended();
    }

    private static final Set<State> READING_RECORD = EnumSet.of(State.PREPARING, State.REPEATING);

    private final HandOverRecord handOverRecord;
    private final ElectionLine line;
    private final Hold hold;
    private final Peer me;
    private final Events to;
    private final boolean asked;
    private final CompletableFuture<Void> result = new CompletableFuture<>();

    private HandOverNote note;
    private State state = State.SEEKING;
    private String why = "";
    private @Nullable Throwable cause;
    /** Whether the store has not said if the candidate is the first. */
    private boolean outcomeUnknown;

    private Loop.Timer limit = () -> {};
    private List<Peer> between = List.of();
    private @Nullable Peer target;
    /** The record as it was last read, or when the candidate answered that it is ready. */
    private HandOverRecord.@Nullable Seen seen;

    /**
     * Creates a hand-over that has not started.
     *
     * @param request the candidate, the number and the time limit
     * @param asked the record with the request; empty if this process requests it
     */
    LeaderHandOver(
            HandOverRecord handOverRecord,
            Hold hold,
            HandOverNote request,
            Optional<HandOverRecord.Seen> asked,
            Events to) {
        this.handOverRecord = handOverRecord;
        this.line = handOverRecord.line();
        this.hold = hold;
        this.me = line.peer(hold);
        this.note = request;
        this.asked = asked.isPresent();
        this.seen = asked.orElse(null);
        this.to = to;
    }

    String number() {
        return note.number();
    }

    String candidate() {
        return note.to();
    }

    /** Completes on the loop; fails with a {@link HandOverException}, or an {@link OutcomeUnknownException}. */
    CompletableFuture<Void> result() {
        return result;
    }

    void begin() {
        limit = line.loop().after(note.within(), this::late);
        Futures.onDone(line.entries(), (entries, failed) -> {
            if (state != State.SEEKING) {
                return;
            }
            if (failed != null) {
                fail(Event.FAILED, "the line could not be read", failed);
            } else {
                onEntries(entries);
            }
        });
    }

    private void onEntries(List<Entry> entries) {
        List<CandidateEntry> all = entries.stream().map(CandidateEntry::of).toList();
        CandidateEntry candidate;
        try {
            candidate = new CandidateList(all).target(me.name(), note.to());
        } catch (HandOverException none) {
            fail(Event.FAILED, String.valueOf(none.getMessage()), null);
            return;
        }
        Peer peer = candidate.peer();
        target = peer;
        if (peer.name().equals(me.name())) {
            note = note.doneAlready(candidate.stand(), handOverRecord.now());
            on(Event.ALREADY);
            return;
        }
        between = all.subList(1, all.indexOf(candidate)).stream()
                .map(CandidateEntry::peer)
                .toList();
        note = note.offered(new HandOverNote.Offer(hold.token(), candidate.stand(), peer.name(), peer.order()));
        on(Event.FOUND);
    }

    /** Handles the candidate's answer that it is ready. */
    void ready(HandOverRecord.Seen now) {
        if (state == State.OFFERED || state == State.REPEATING) {
            seen = now;
            on(Event.READY);
        }
    }

    /** Handles the candidate's refusal. */
    void refused(String reason) {
        fail(Event.REFUSED, reason, null);
    }

    /** Transfers the leadership; the work has stopped. */
    void transfer() {
        if (state != State.AGREED) {
            throw new IllegalStateException("nothing is agreed in " + state);
        }
        on(Event.STOPPED);
    }

    /** Cancels it for a reason on this side; without effect once the entry is being given up for it. */
    void cancel(String reason) {
        fail(Event.CANCEL, reason, null);
    }

    private void late() {
        String within = " within " + note.within().toMillis() + " ms";
        String reason = switch (state) {
            case SEEKING, PREPARING -> "the store did not answer" + within;
            case OFFERED, REPEATING -> "candidate '" + candidate() + "' did not answer" + within;
            case CLEARING, AGREED, TRANSFERRING, RESOLVING, OVER ->
                "those who stand before '" + candidate() + "' were not removed" + within;
        };
        fail(Event.LATE, reason, null);
    }

    /** Handles this event with this reason, if it can still end the hand-over. */
    private void fail(Event event, String reason, @Nullable Throwable failed) {
        if (HandOverMachine.step(state, event, asked).effects().contains(Effect.FAIL)) {
            cause = failed == null ? null : Futures.cause(failed);
            why = cause == null ? reason : reason + ": " + cause.getMessage();
            on(event);
        }
    }

    private void on(Event event) {
        HandOverMachine.Step step = HandOverMachine.step(state, event, asked);
        state = step.next();
        step.effects().forEach(this::apply);
    }

    private void apply(Effect effect) {
        switch (effect) {
            case OFFER -> offer();
            case READ_RECORD -> readRecord();
            case READ_LINE -> readLine();
            case REMOVE_BETWEEN -> removeBetween();
            case AGREE -> {
                limit.cancel();
                to.agreed();
            }
            case TRANSFER -> give();
            case GIVE_BACK -> to.transferred();
            case RESOLVE -> resolve();
            case RECORD_DONE -> {
                var unused = handOverRecord.write(requireSeen(), note, List.of(me));
            }
            case SUCCEED -> {
                limit.cancel();
                result.complete(null);
                to.ended();
            }
            case FAIL -> {
                limit.cancel();
                result.completeExceptionally(
                        outcomeUnknown ? new OutcomeUnknownException(why, cause) : new HandOverException(why, cause));
                to.ended();
            }
            case RECORD_FAILURE -> {
                var unused = handOverRecord.abort(number(), HandOverNote.Kind.UNDER_WAY, why);
            }
        }
    }

    /** If the outcome of the offer is unknown, the candidate's answer resolves it. */
    private void offer() {
        HandOverRecord.Seen last = requireSeen();
        note = note.following(last.note());
        Futures.onDone(handOverRecord.offer(last, note, me), (written, failed) -> {
            if (state != State.OFFERED) {
                return;
            }
            if (failed == null && !written) {
                on(Event.NOT_OFFERED);
            } else if (failed != null && !unknown(failed)) {
                fail(Event.FAILED, "the store did not take the offer", failed);
            }
        });
    }

    private void readRecord() {
        HandOverRecord.Seen before = state == State.REPEATING ? seen : null;
        Futures.onDone(handOverRecord.read(), (now, failed) -> {
            if (!READING_RECORD.contains(state)) {
                return;
            }
            if (failed != null) {
                fail(Event.FAILED, "the record of hand-overs could not be read", failed);
            } else if (asked && !isRequest(now)) {
                fail(Event.FAILED, "whoever asked for it has given up", null);
            } else if (before != null && before.same(now)) {
                String reason = "this leader's entry is not in the line any more, or the election was paused just now";
                fail(Event.FAILED, reason, null);
            } else {
                seen = now;
                on(Event.READ);
            }
        });
    }

    private boolean isRequest(HandOverRecord.Seen now) {
        return now.note()
                .filter(present -> present.number().equals(number()) && present.kind() == HandOverNote.Kind.ASK)
                .isPresent();
    }

    private void removeBetween() {
        if (between.isEmpty()) {
            on(Event.CLEARED);
            return;
        }
        int most = Math.max(1, line.maxOps() - 2);
        List<Peer> next = between.subList(0, Math.min(most, between.size()));
        Futures.onDone(
                line.transact(HandOverRecord.standing(List.of(me, requireTarget())), List.of(), next),
                (done, failed) -> {
                    if (state != State.CLEARING) {
                        return;
                    }
                    if (failed == null && done) {
                        between = between.subList(next.size(), between.size());
                        on(Event.REMOVED);
                    } else if (failed == null || unknown(failed)) {
                        on(Event.NOT_REMOVED);
                    } else {
                        fail(Event.FAILED, "those who stand between could not be removed", failed);
                    }
                });
    }

    /** An entry has left by itself, or the outcome of the removal is unknown. */
    private void readLine() {
        Futures.onDone(line.peers(), (peers, failed) -> {
            if (state != State.CLEARING) {
                return;
            }
            if (failed != null) {
                fail(Event.FAILED, "the line could not be read", failed);
                return;
            }
            List<String> names = peers.stream().map(Peer::name).toList();
            int last = names.indexOf(requireTarget().name());
            if (names.indexOf(me.name()) != 0) {
                fail(Event.FAILED, "this leader's entry does not stand first any more", null);
            } else if (last < 0) {
                fail(Event.FAILED, "candidate '" + candidate() + "' has left its place meanwhile", null);
            } else {
                between = peers.subList(1, last);
                on(Event.REMOVED);
            }
        });
    }

    /** Removes the entry, if the candidate still stands, and writes the record in the same transaction. */
    private void give() {
        line.markReleased(hold);
        Futures.onDone(
                handOverRecord.write(
                        requireSeen(), note.done(handOverRecord.now()), List.of(requireTarget()), List.of(me)),
                (done, failed) -> {
                    if (failed == null && done) {
                        on(Event.TRANSFERRED);
                    } else {
                        cause = failed == null ? null : Futures.cause(failed);
                        why = "candidate '" + candidate() + "' could not be made the first, as "
                                + (cause == null ? "it has left its place" : cause.getMessage())
                                + "; this leader has resigned, and the line decides";
                        on(Event.NOT_TRANSFERRED);
                    }
                });
    }

    private void resolve() {
        boolean mayBeDone = cause != null && unknown(cause);
        Futures.onDone(handOverRecord.abort(number(), HandOverNote.Kind.UNDER_WAY, why), (last, unread) -> {
            boolean read = unread == null && last.isPresent();
            boolean done = read && last.get().kind() == HandOverNote.Kind.DONE;
            if (mayBeDone && !read) {
                outcomeUnknown = true;
                why = "whether candidate '" + candidate() + "' was made the first is not known;"
                        + " this leader has resigned";
            }
            on(done ? Event.RESOLVED : Event.NOT_RESOLVED);
        });
    }

    private static boolean unknown(Throwable failed) {
        return Futures.cause(failed) instanceof OutcomeUnknownException;
    }

    private Peer requireTarget() {
        if (target == null) {
            throw new IllegalStateException("nobody to hand over to in " + state);
        }
        return target;
    }

    private HandOverRecord.Seen requireSeen() {
        if (seen == null) {
            throw new IllegalStateException("the record was not read in " + state);
        }
        return seen;
    }
}
