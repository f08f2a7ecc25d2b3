package io.baton.election.internal.handover;

import java.util.Optional;

/** The actions of a leader, a candidate or a requester for the present note. Pure functions. */
final class HandOverRules {

    /** A leader's action. */
    enum ForLeader {
        /** Do nothing. */
        NOTHING,
        /** Hand over as requested. */
        BEGIN,
        /** Refuse the request. */
        REFUSE,
        /** Continue: the candidate with the offer is ready. */
        GO_ON,
        /** Give up: the candidate with the offer refuses. */
        GIVE_UP,
        /** Fail a hand-over that nobody carries out any more: of an earlier leader or term, or its own that is over. */
        CLEAR_AWAY
    }

    /** A requester's action, before or after its request. */
    enum ForAsker {
        /** Write the request. */
        ASK,
        /** Wait. */
        WAIT,
        /** Done. */
        DONE,
        /** Refused. */
        FAILED,
        /** Find out who leads: another hand-over has replaced the request, whose outcome the record does not show. */
        LOOK
    }

    private HandOverRules() {}

    /**
     * Returns a leader's action.
     *
     * @param fresh whether this is the first note seen in this term, so that it is older than the term
     * @param leads whether its work is running, and need not stop
     * @param own the number of its current or last hand-over in this term; empty if there is none
     * @param busy whether it has a current one
     * @param barred whether there is an objection to the request
     */
    static ForLeader leader(
            HandOverNote note, boolean fresh, boolean leads, Optional<String> own, boolean busy, boolean barred) {
        boolean mine = own.isPresent() && own.get().equals(note.number());
        // While it stops, the outcome may be under way; the next leader clears away what is left.
        boolean left = mine && !busy && leads;
        return switch (note.kind()) {
            case ASK -> {
                if (mine) {
                    yield left ? ForLeader.CLEAR_AWAY : ForLeader.NOTHING;
                }
                if (fresh || !leads) {
                    yield ForLeader.CLEAR_AWAY;
                }
                if (busy) {
                    yield ForLeader.NOTHING;
                }
                yield barred ? ForLeader.REFUSE : ForLeader.BEGIN;
            }
            case OFFER -> mine && !left ? ForLeader.NOTHING : ForLeader.CLEAR_AWAY;
            case READY -> mine && !left ? ForLeader.GO_ON : ForLeader.CLEAR_AWAY;
            case DONE -> ForLeader.NOTHING;
            case FAILED -> mine ? ForLeader.GIVE_UP : ForLeader.NOTHING;
        };
    }

    /** Returns whether a candidate with this stand has the offer. */
    static boolean offeredTo(HandOverNote note, String stand) {
        return note.kind() == HandOverNote.Kind.OFFER
                && note.offer().map(what -> what.stand().equals(stand)).orElse(false);
    }

    /**
     * Returns the action of a requester with this number.
     *
     * @param asked whether its request may have been in the record before; it must not be carried out twice
     */
    static ForAsker asker(Optional<HandOverNote> present, String number, boolean asked) {
        boolean own = present.filter(note -> note.number().equals(number)).isPresent();
        if (!own && asked) {
            return ForAsker.LOOK;
        }
        if (present.isEmpty()) {
            return ForAsker.ASK;
        }
        HandOverNote note = present.get();
        if (!own) {
            return HandOverNote.Kind.UNDER_WAY.contains(note.kind()) ? ForAsker.WAIT : ForAsker.ASK;
        }
        return switch (note.kind()) {
            case ASK, OFFER, READY -> ForAsker.WAIT;
            case DONE -> ForAsker.DONE;
            case FAILED -> ForAsker.FAILED;
        };
    }
}
