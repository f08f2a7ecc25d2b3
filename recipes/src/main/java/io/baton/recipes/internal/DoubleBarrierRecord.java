package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.recipe.TextLines;
import io.baton.recipes.BarrierRound;
import io.baton.recipes.DoubleBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The record of a double barrier.
 *
 * @param parties how many enter and leave together
 * @param next the number of the round whose entering is not decided yet, from 1
 * @param rounds the last ones before it, the oldest first, and the one that is inside
 */
record DoubleBarrierRecord(int parties, long next, List<Round> rounds) {

    private static final String PARTIES = "parties";
    private static final String NEXT = "next";
    private static final String ENTERED = "entered ";
    private static final String WAITED = "waited ";
    private static final String LEFT = "left ";
    private static final String WHY = "why ";
    private static final String BY = "by ";

    /**
     * What is decided of a round.
     *
     * @param parties the ids of those that were in it
     * @param entered whether they entered; otherwise it has ended, broken
     * @param ended whether its end is decided as well
     * @param by the party that broke it; empty if it has not ended, or all have left together
     */
    record Round(long number, List<String> parties, boolean entered, boolean ended, String by, String why) {

        BarrierRound entry(String party) {
            return new BarrierRound(number, entered, parties, party, entered ? "" : why);
        }

        BarrierRound end(String party) {
            return new BarrierRound(number, by.isEmpty(), parties, party, why);
        }
    }

    static DoubleBarrierRecord begin(int parties) {
        return new DoubleBarrierRecord(parties, 1, List.of());
    }

    static DoubleBarrierRecord decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        try {
            return new DoubleBarrierRecord(
                    Integer.parseInt(lines.getOrDefault(PARTIES, "")),
                    Long.parseLong(lines.getOrDefault(NEXT, "")),
                    lines.keySet().stream()
                            .flatMap(key -> round(key, lines).stream())
                            .toList());
        } catch (NumberFormatException foreign) {
            throw new CoordinationException(
                    item.key() + " should have the lines 'parties=N' and 'next=N' of a double barrier, and has other"
                            + " text",
                    foreign);
        }
    }

    private static Optional<Round> round(String key, Map<String, String> lines) {
        boolean entered = key.startsWith(ENTERED);
        if (!entered && !key.startsWith(WAITED)) {
            return Optional.empty();
        }
        String number = key.substring(key.indexOf(' ') + 1);
        String by = lines.getOrDefault(BY + number, "");
        boolean ended = !by.isEmpty() || lines.containsKey(LEFT + number);
        List<String> ids = List.of(lines.getOrDefault(key, "").split(" "));
        return Optional.of(
                new Round(Long.parseLong(number), ids, entered, ended, by, lines.getOrDefault(WHY + number, "")));
    }

    byte[] encode() {
        TextLines lines =
                new TextLines().add(PARTIES, Integer.toString(parties)).add(NEXT, Long.toString(next));
        for (Round round : rounds) {
            lines.add((round.entered ? ENTERED : WAITED) + round.number, String.join(" ", round.parties));
            if (!round.by.isEmpty()) {
                lines.add(BY + round.number, round.by).add(WHY + round.number, round.why);
            } else if (round.ended) {
                lines.add(LEFT + round.number, "");
            }
        }
        return lines.bytes();
    }

    /** Returns the round that this party was in; empty if it is in none of those that are kept. */
    Optional<Round> roundOf(String party) {
        return rounds.stream().filter(round -> round.parties.contains(party)).findFirst();
    }

    /** Returns the round that was entered and has not ended. */
    Optional<Round> inside() {
        return rounds.stream().filter(round -> !round.ended).findFirst();
    }

    /**
     * Returns whether it is clear why a party does not wait any more that waited when this round was not decided. It is
     * taken for clear if a round since then is not kept any more.
     */
    boolean explains(String party, long then) {
        return rounds.stream().anyMatch(round -> round.parties.contains(party) || round.by.equals(party))
                || isForgotten(then);
    }

    /** Returns whether a round from this one on was decided, and is not kept any more. */
    boolean isForgotten(long from) {
        return rounds.stream().filter(round -> round.number >= from).count() < next - from;
    }

    /** Returns the record with the verdict that these parties have entered. */
    DoubleBarrierRecord entered(List<String> ids) {
        return begun(new Round(next, ids, true, false, "", ""));
    }

    /** Returns the record with the verdict that these parties do not enter, because one has gone. */
    DoubleBarrierRecord notEntered(List<String> ids, String by, String why) {
        return begun(new Round(next, ids, false, true, by, why));
    }

    private DoubleBarrierRecord begun(Round round) {
        List<Round> all = new ArrayList<>(rounds);
        all.add(round);
        int tooMany = all.size() - DoubleBarrier.KEPT_ROUNDS;
        List<Round> kept = Stream.concat(
                        all.stream().limit(Math.max(0, tooMany)).filter(old -> !old.ended),
                        all.stream().skip(Math.max(0, tooMany)))
                .toList();
        return new DoubleBarrierRecord(parties, next + 1, kept);
    }

    /** Returns the record with the verdict that all of this round have left together. */
    DoubleBarrierRecord left(Round round) {
        return ended(new Round(round.number, round.parties, true, true, "", ""));
    }

    /** Returns the record with the verdict that those of this round do not leave together, because one has gone. */
    DoubleBarrierRecord broken(Round round, String by, String why) {
        return ended(new Round(round.number, round.parties, true, true, by, why));
    }

    private DoubleBarrierRecord ended(Round ended) {
        List<Round> all = rounds.stream()
                .map(round -> round.number == ended.number ? ended : round)
                .toList();
        return new DoubleBarrierRecord(parties, next, all);
    }
}
