package io.baton.election.internal.handover;

import io.baton.recipe.TextLines;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The progress of a hand-over, as the election's record shows it to all participants.
 *
 * @param kind the progress
 * @param number the number of the hand-over
 * @param to the id of the candidate that is to lead
 * @param within how long the leader may take until that candidate is ready
 * @param offer the candidate's entry that received the offer; empty before
 * @param why why it failed; empty if it has not
 * @param wish whether to pin the new leader; empty unless a person requests the hand-over
 * @param pin the pin that this hand-over sets when done, or an earlier one; empty if there is none
 */
public record HandOverNote(
        Kind kind,
        String number,
        String to,
        Duration within,
        Optional<Offer> offer,
        String why,
        Optional<Pin.Wish> wish,
        Optional<Pin> pin) {

    private static final String WHOLE_TERM = "term";

    /** The progress of a hand-over. */
    enum Kind {
        /** It is requested of the leader. */
        ASK,
        /** The leader asks the candidate whether it is ready. */
        OFFER,
        /** The candidate is ready. */
        READY,
        /** The leader has left in the candidate's favour. */
        DONE,
        /** It has failed. */
        FAILED;

        /** Those of a hand-over that is not over. */
        static final Set<Kind> UNDER_WAY = Collections.unmodifiableSet(EnumSet.of(ASK, OFFER, READY));

        /** Those in which others than the leader may cancel it. */
        static final Set<Kind> NOT_AGREED = Collections.unmodifiableSet(EnumSet.of(ASK, OFFER));
    }

    /**
     * An offer.
     *
     * @param term the term of the leader that makes it
     * @param stand the stand of the candidate's entry, by which the candidate recognizes the offer
     * @param entry the entry's name
     * @param order the entry's place in the line
     */
    public record Offer(long term, String stand, String entry, long order) {}

    /** Returns a request by a program, for itself. */
    public static HandOverNote ask(String number, String to, Duration within) {
        return ask(number, to, within, Optional.empty());
    }

    /**
     * Returns a request.
     *
     * @param wish how a person wants to pin the new leader; empty if no person makes the request
     */
    public static HandOverNote ask(String number, String to, Duration within, Optional<Pin.Wish> wish) {
        return new HandOverNote(Kind.ASK, number, to, within, Optional.empty(), "", wish, Optional.empty());
    }

    /** Returns the same as successor of this note, whose pin stays. */
    HandOverNote following(Optional<HandOverNote> before) {
        Optional<Pin> kept = before.flatMap(HandOverNote::pin);
        return new HandOverNote(kind, number, to, within, offer, why, wish, kept);
    }

    public HandOverNote offered(Offer what) {
        return new HandOverNote(Kind.OFFER, number, to, within, Optional.of(what), "", wish, pin);
    }

    HandOverNote ready() {
        return as(Kind.READY, "", pin);
    }

    /** The candidate with the offer is first now, and is pinned if a person has requested that. */
    HandOverNote done(Instant now) {
        return as(Kind.DONE, "", wish.flatMap(wanted -> offer.map(what -> wanted.of(what.stand(), now))));
    }

    /** The candidate leads already, with this entry, which is pinned if a person has requested that. */
    HandOverNote doneAlready(String stand, Instant now) {
        return as(Kind.DONE, "", wish.map(wanted -> wanted.of(stand, now)).or(() -> pin));
    }

    HandOverNote failed(String reason) {
        return as(Kind.FAILED, reason, pin);
    }

    private HandOverNote as(Kind next, String reason, Optional<Pin> then) {
        return new HandOverNote(next, number, to, within, offer, reason, wish, then);
    }

    byte[] encode() {
        var lines = new TextLines()
                .add("state", kind.name().toLowerCase(Locale.ROOT))
                .add("number", number)
                .add("to", to)
                .add("within", String.valueOf(within.toMillis()));
        offer.ifPresent(what -> lines.add("term", String.valueOf(what.term()))
                .add("stand", what.stand())
                .add("entry", what.entry())
                .add("order", String.valueOf(what.order())));
        if (!why.isEmpty()) {
            lines.add("why", why);
        }
        wish.ifPresent(wanted -> lines.add(
                "pin",
                wanted.limit().map(limit -> String.valueOf(limit.toMillis())).orElse(WHOLE_TERM)));
        pin.ifPresent(present -> {
            lines.add("pinned", present.stand());
            present.until().ifPresent(end -> lines.add("pinned.until", String.valueOf(end.toEpochMilli())));
        });
        return lines.bytes();
    }

    /** Parses a note; empty if it is not one. */
    static Optional<HandOverNote> decode(byte[] bytes) {
        Map<String, String> lines = TextLines.decode(bytes);
        String state = lines.getOrDefault("state", "");
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(state)) {
                return Optional.of(new HandOverNote(
                        kind,
                        lines.getOrDefault("number", ""),
                        lines.getOrDefault("to", ""),
                        duration(lines.getOrDefault("within", "0"), HandOverCalls.LONGEST),
                        offer(lines),
                        lines.getOrDefault("why", ""),
                        wish(lines),
                        pin(lines)));
            }
        }
        return Optional.empty();
    }

    private static Optional<Pin.Wish> wish(Map<String, String> lines) {
        return Optional.ofNullable(lines.get("pin"))
                .map(text -> text.equals(WHOLE_TERM)
                        ? Pin.Wish.TERM
                        : new Pin.Wish(Optional.of(duration(text, HandOverCalls.LONGEST_PIN))));
    }

    /** Parses milliseconds; a timer takes no time of any length. */
    private static Duration duration(String millis, Duration longest) {
        return Duration.ofMillis(Math.max(0, Math.min(longest.toMillis(), TextLines.number(millis))));
    }

    private static Optional<Pin> pin(Map<String, String> lines) {
        return Optional.ofNullable(lines.get("pinned"))
                .map(stand -> new Pin(
                        stand,
                        Optional.ofNullable(lines.get("pinned.until"))
                                .map(end -> Instant.ofEpochMilli(TextLines.number(end)))));
    }

    private static Optional<Offer> offer(Map<String, String> lines) {
        return Optional.ofNullable(lines.get("entry"))
                .map(entry -> new Offer(
                        TextLines.number(lines.getOrDefault("term", "0")),
                        lines.getOrDefault("stand", ""),
                        entry,
                        TextLines.number(lines.getOrDefault("order", "0"))));
    }
}
