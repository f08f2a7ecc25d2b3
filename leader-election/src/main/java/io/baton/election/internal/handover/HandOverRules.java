package io.baton.election.internal.handover;

import java.util.Optional;

/** What a leader, a candidate or somebody who asks has to do about the present note. Pure functions. */
final class HandOverRules {

    /** What the note means to a leader. */
    enum ForLeader {
        /** Nothing to be done. */
        NOTHING,
        /** Somebody asks: hand over. */
        BEGIN,
        /** Somebody asks for what is not to be: say so. */
        REFUSE,
        /** The candidate that it was offered to is ready. */
        GO_ON,
        /** The candidate that it was offered to does not want it. */
        GIVE_UP,
        /** Left over from an earlier leader or from before: nothing comes of it. */
        CLEAR_AWAY
    }

    /** What the note means to somebody who has asked, or is about to. */
    enum ForAsker {
        /** To write what is asked for. */
        ASK,
        /** To wait. */
        WAIT,
        /** Done. */
        DONE,
        /** Refused. */
        FAILED
    }

    private HandOverRules() {}

    /**
     * For a leader.
     *
     * @param fresh whether it sees the note for the first time in this term: then it was there before
     * @param leads whether its work goes on, and was not told to stop
     * @param own the number of the hand-over that it is about, or was last in this term; empty if none
     * @param busy whether it is about one
     * @param barred whether something speaks against what is asked for
     */
    static ForLeader leader(
            HandOverNote note, boolean fresh, boolean leads, Optional<String> own, boolean busy, boolean barred) {
        boolean mine = own.isPresent() && own.get().equals(note.number());
        return switch (note.kind()) {
            case ASK -> {
                if (mine) {
                    yield ForLeader.NOTHING;
                }
                if (fresh || !leads) {
                    yield ForLeader.CLEAR_AWAY;
                }
                if (busy) {
                    yield ForLeader.NOTHING;
                }
                yield barred ? ForLeader.REFUSE : ForLeader.BEGIN;
            }
            case OFFER -> mine ? ForLeader.NOTHING : ForLeader.CLEAR_AWAY;
            case READY -> mine ? ForLeader.GO_ON : ForLeader.CLEAR_AWAY;
            case DONE -> ForLeader.NOTHING;
            case FAILED -> mine ? ForLeader.GIVE_UP : ForLeader.NOTHING;
        };
    }

    /** Whether a candidate that stands in this place is asked whether it is ready. */
    static boolean offeredTo(HandOverNote note, String stand) {
        return note.kind() == HandOverNote.Kind.OFFER
                && note.offer().map(what -> what.stand().equals(stand)).orElse(false);
    }

    /** For somebody who asks, under this number. */
    static ForAsker asker(Optional<HandOverNote> present, String number) {
        if (present.isEmpty()) {
            return ForAsker.ASK;
        }
        HandOverNote note = present.get();
        if (!note.number().equals(number)) {
            return HandOverNote.Kind.UNDER_WAY.contains(note.kind()) ? ForAsker.WAIT : ForAsker.ASK;
        }
        return switch (note.kind()) {
            case ASK, OFFER, READY -> ForAsker.WAIT;
            case DONE -> ForAsker.DONE;
            case FAILED -> ForAsker.FAILED;
        };
    }
}
