package io.baton.election;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * How far a hand-over has come, as the election's record tells it to everybody who takes part.
 *
 * @param kind how far
 * @param number which hand-over
 * @param to the id of the candidate that is to lead
 * @param within how long the leader may take until that candidate is ready
 * @param offer the candidate's entry that it was offered to; empty if it has not been
 * @param why why it failed; empty if it has not
 */
record HandOverNote(Kind kind, String number, String to, Duration within, Optional<Offer> offer, String why) {

    /** How far a hand-over has come. */
    enum Kind {
        /** Somebody asks the leader for it. */
        ASK,
        /** The leader asks the candidate whether it is ready. */
        OFFER,
        /** The candidate is. */
        READY,
        /** The leader has gone in its favour. */
        DONE,
        /** Nothing comes of it. */
        FAILED;

        /** Those after which something is still to come. */
        static final Set<Kind> UNDER_WAY = Collections.unmodifiableSet(EnumSet.of(ASK, OFFER, READY));

        /** Those in which it can be called off without the leader's knowledge. */
        static final Set<Kind> NOT_AGREED = Collections.unmodifiableSet(EnumSet.of(ASK, OFFER));
    }

    /**
     * What is offered.
     *
     * @param term the term of the leader who does
     * @param stand tells the candidate that this entry of its own is meant
     * @param entry the entry's name
     * @param order the entry's place in the line
     */
    record Offer(long term, String stand, String entry, long order) {}

    static HandOverNote ask(String number, String to, Duration within) {
        return new HandOverNote(Kind.ASK, number, to, within, Optional.empty(), "");
    }

    HandOverNote offered(Offer what) {
        return new HandOverNote(Kind.OFFER, number, to, within, Optional.of(what), "");
    }

    HandOverNote ready() {
        return new HandOverNote(Kind.READY, number, to, within, offer, "");
    }

    HandOverNote done() {
        return new HandOverNote(Kind.DONE, number, to, within, offer, "");
    }

    HandOverNote failed(String reason) {
        return new HandOverNote(Kind.FAILED, number, to, within, offer, reason);
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
        return lines.bytes();
    }

    /** Empty if it is none. */
    static Optional<HandOverNote> decode(byte[] bytes) {
        Map<String, String> lines = TextLines.decode(bytes);
        String state = lines.getOrDefault("state", "");
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(state)) {
                return Optional.of(new HandOverNote(
                        kind,
                        lines.getOrDefault("number", ""),
                        lines.getOrDefault("to", ""),
                        Duration.ofMillis(Math.max(0, TextLines.number(lines.getOrDefault("within", "0")))),
                        offer(lines),
                        lines.getOrDefault("why", "")));
            }
        }
        return Optional.empty();
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
