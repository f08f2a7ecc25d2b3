package io.baton.election.internal.handover;

import io.baton.Hold;
import io.baton.OutcomeUnknownException;
import io.baton.election.HandOverException;
import io.baton.election.internal.line.CandidateEntry;
import io.baton.election.internal.line.CandidateList;
import io.baton.election.internal.line.ElectionLine;
import io.baton.recipe.Futures;
import io.baton.spi.Entry;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One hand-over, as the leader carries it out: finds the candidate, offers, waits for its answer, removes those who stand
 * between, has the work stopped, and goes in its favour. Until the work is told to stop nothing has happened to it. On
 * the loop.
 */
final class LeaderHandOver {

    /** What becomes of it. */
    interface Events {
        /** The candidate is ready, and nobody stands between: the work is to stop, and then {@link #transfer}. */
        void agreed();

        /** The entry is gone, or is to be given back in the common way. */
        void transferred();

        /** Nothing more comes. */
        void ended();
    }

    private enum Phase {
        SEEKING,
        OFFERED,
        CLEARING,
        AGREED,
        PASSING,
        OVER
    }

    private final HandOverRecord handOverRecord;
    private final ElectionLine line;
    private final Hold hold;
    private final Peer me;
    private final Events to;
    private final boolean asked;
    private final CompletableFuture<Void> result = new CompletableFuture<>();

    private HandOverNote note;
    private Phase phase = Phase.SEEKING;
    private Loop.Timer limit = () -> {};
    private List<Peer> between = List.of();
    private @Nullable Peer target;
    private HandOverRecord.@Nullable Seen readiness;

    /**
     * A hand-over that has not begun.
     *
     * @param request to whom, under which number, and how long it may take
     * @param asked whether the request is in the record
     */
    LeaderHandOver(HandOverRecord handOverRecord, Hold hold, HandOverNote request, boolean asked, Events to) {
        this.handOverRecord = handOverRecord;
        this.line = handOverRecord.line();
        this.hold = hold;
        this.me = line.peer(hold);
        this.note = request;
        this.asked = asked;
        this.to = to;
    }

    String number() {
        return note.number();
    }

    String candidate() {
        return note.to();
    }

    /** Completes on the loop; fails with a {@link HandOverException}. */
    CompletableFuture<Void> result() {
        return result;
    }

    /** Begins with the record as it was seen; if that has not been asked for in it, it is read. */
    void begin(Optional<HandOverRecord.Seen> request) {
        limit = line.loop().after(note.within(), this::late);
        Futures.onDone(line.entries(), (entries, failure) -> {
            if (phase != Phase.SEEKING) {
                return;
            }
            if (failure != null) {
                fail("the line could not be read", failure);
            } else {
                found(entries, request);
            }
        });
    }

    private void found(List<Entry> entries, Optional<HandOverRecord.Seen> request) {
        List<CandidateEntry> all = entries.stream().map(CandidateEntry::of).toList();
        CandidateEntry candidate;
        try {
            candidate = new CandidateList(all).target(me.name(), note.to());
        } catch (HandOverException none) {
            fail(String.valueOf(none.getMessage()), null);
            return;
        }
        if (candidate.peer().name().equals(me.name())) {
            request.ifPresent(seen -> {
                HandOverNote done = note.doneAlready(candidate.stand(), handOverRecord.now());
                var unused = handOverRecord.write(seen, done, List.of(me));
            });
            succeed();
            return;
        }
        target = candidate.peer();
        between = all.subList(1, all.indexOf(candidate)).stream()
                .map(CandidateEntry::peer)
                .toList();
        note = note.offered(new HandOverNote.Offer(
                hold.token(),
                candidate.stand(),
                candidate.peer().name(),
                candidate.peer().order()));
        if (request.isPresent()) {
            offer(request.get());
        } else {
            offerAnew(null);
        }
    }

    private void offer(HandOverRecord.Seen seen) {
        phase = Phase.OFFERED;
        note = note.following(seen.note());
        Futures.onDone(handOverRecord.offer(seen, note, me), (written, failure) -> {
            if (phase != Phase.OFFERED) {
                return;
            }
            if (failure == null && !written) {
                offerAnew(seen);
            } else if (failure != null && !unknown(failure)) {
                fail("the store did not take the offer", failure);
            }
            // If it is not known whether it was written, the candidate's answer will tell.
        });
    }

    private void offerAnew(HandOverRecord.@Nullable Seen before) {
        Futures.onDone(handOverRecord.read(), (seen, failure) -> {
            if (phase != Phase.SEEKING && phase != Phase.OFFERED) {
                return;
            }
            if (failure != null) {
                fail("the record of hand-overs could not be read", failure);
            } else if (asked && !isRequest(seen)) {
                fail("whoever asked for it has given up", null);
            } else if (before != null && before.same(seen)) {
                fail("this leader's entry is not in the line any more, or the election was paused just now", null);
            } else {
                offer(seen);
            }
        });
    }

    private boolean isRequest(HandOverRecord.Seen seen) {
        return seen.note()
                .filter(present -> present.number().equals(number()) && present.kind() == HandOverNote.Kind.ASK)
                .isPresent();
    }

    /** The candidate is ready, as the record says. */
    void ready(HandOverRecord.Seen seen) {
        if (phase == Phase.OFFERED) {
            readiness = seen;
            phase = Phase.CLEARING;
            removeBetween();
        }
    }

    /** The candidate does not want it. */
    void refused(String why) {
        if (phase == Phase.OFFERED || phase == Phase.CLEARING) {
            fail(why, null);
        }
    }

    private void removeBetween() {
        if (between.isEmpty()) {
            phase = Phase.AGREED;
            limit.cancel();
            to.agreed();
            return;
        }
        int most = Math.max(1, line.maxOps() - 2);
        List<Peer> next = between.subList(0, Math.min(most, between.size()));
        Futures.onDone(
                line.transact(HandOverRecord.standing(List.of(me, requireTarget())), List.of(), next),
                (done, failure) -> {
                    if (phase != Phase.CLEARING) {
                        return;
                    }
                    if (failure == null && done) {
                        between = between.subList(next.size(), between.size());
                        removeBetween();
                    } else if (failure == null || unknown(failure)) {
                        readAgain();
                    } else {
                        fail("those who stand between could not be removed", failure);
                    }
                });
    }

    /** Somebody has gone by himself, or it is not known whether they were removed. */
    private void readAgain() {
        Futures.onDone(line.peers(), (peers, failure) -> {
            if (phase != Phase.CLEARING) {
                return;
            }
            if (failure != null) {
                fail("the line could not be read", failure);
                return;
            }
            List<String> names = peers.stream().map(Peer::name).toList();
            int last = names.indexOf(requireTarget().name());
            if (names.indexOf(me.name()) != 0) {
                fail("this leader's entry does not stand first any more", null);
            } else if (last < 0) {
                fail("candidate '" + candidate() + "' has left its place meanwhile", null);
            } else {
                between = peers.subList(1, last);
                removeBetween();
            }
        });
    }

    /** The work has stopped: the entry goes, if the candidate still stands, and the record says so at the same moment. */
    void transfer() {
        phase = Phase.PASSING;
        line.markReleased(hold);
        Futures.onDone(
                handOverRecord.write(
                        requireReadiness(), note.done(handOverRecord.now()), List.of(requireTarget()), List.of(me)),
                (done, failure) -> {
                    to.transferred();
                    if (failure == null && done) {
                        succeed();
                    } else {
                        resolveTransfer(failure);
                    }
                });
    }

    private void resolveTransfer(@Nullable Throwable failure) {
        String why = "candidate '" + candidate() + "' could not be made the first, as "
                + (failure == null
                        ? "it has left its place"
                        : Futures.cause(failure).getMessage())
                + "; this leader has resigned, and the line decides";
        Futures.onDone(handOverRecord.abort(number(), HandOverNote.Kind.UNDER_WAY, why), (ended, broken) -> {
            if (ended.filter(last -> last.kind() == HandOverNote.Kind.DONE).isPresent()) {
                succeed();
            } else {
                failWith(new HandOverException(why, failure == null ? null : Futures.cause(failure)));
            }
        });
    }

    /** Nothing comes of it, for a reason on this side; without effect once the entry is being given up for it. */
    void cancel(String why) {
        if (phase != Phase.PASSING && phase != Phase.OVER) {
            fail(why, null);
        }
    }

    private static boolean unknown(Throwable failure) {
        return Futures.cause(failure) instanceof OutcomeUnknownException;
    }

    private void late() {
        fail(
                switch (phase) {
                    case SEEKING ->
                        "the store did not answer within " + note.within().toMillis() + " ms";
                    case OFFERED ->
                        "candidate '" + candidate() + "' did not answer within "
                                + note.within().toMillis() + " ms";
                    case CLEARING, AGREED, PASSING, OVER ->
                        "those who stand before '" + candidate() + "' were not removed within "
                                + note.within().toMillis() + " ms";
                },
                null);
    }

    private void fail(String why, @Nullable Throwable failure) {
        boolean written = asked || phase != Phase.SEEKING;
        String reason =
                failure == null ? why : why + ": " + Futures.cause(failure).getMessage();
        failWith(new HandOverException(reason, failure == null ? null : Futures.cause(failure)));
        if (written) {
            var unused = handOverRecord.abort(number(), HandOverNote.Kind.UNDER_WAY, reason);
        }
    }

    private void succeed() {
        end();
        result.complete(null);
        to.ended();
    }

    private void failWith(HandOverException why) {
        end();
        result.completeExceptionally(why);
        to.ended();
    }

    private void end() {
        phase = Phase.OVER;
        limit.cancel();
    }

    private Peer requireTarget() {
        if (target == null) {
            throw new IllegalStateException("nobody to hand over to in " + phase);
        }
        return target;
    }

    private HandOverRecord.Seen requireReadiness() {
        if (readiness == null) {
            throw new IllegalStateException("nobody is ready in " + phase);
        }
        return readiness;
    }
}
