package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.recipe.TextLines;
import io.baton.recipes.Barrier;
import io.baton.recipes.BarrierRound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The record of a barrier.
 *
 * @param parties how many wait for each other
 * @param round the number of the round that is not decided yet, from 1
 * @param verdicts those of the last rounds before it, the oldest first
 */
record BarrierRecord(int parties, long round, List<Verdict> verdicts) {

    private static final String PARTIES = "parties";
    private static final String ROUND = "round";
    private static final String PASSED = "passed ";
    private static final String BROKEN = "broken ";
    private static final String WHY = "why ";
    private static final String BY = "by ";

    /**
     * How a round ended.
     *
     * @param parties the ids of those that were in it
     * @param by the party that broke it; empty if it passed
     */
    record Verdict(long round, boolean passed, List<String> parties, String by, String why) {

        BarrierRound of(String party) {
            return new BarrierRound(round, passed, parties, party, why);
        }
    }

    static BarrierRecord begin(int parties) {
        return new BarrierRecord(parties, 1, List.of());
    }

    static BarrierRecord decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        try {
            int parties = Integer.parseInt(lines.getOrDefault(PARTIES, ""));
            long round = Long.parseLong(lines.getOrDefault(ROUND, ""));
            List<Verdict> verdicts = LongStream.range(Math.max(1, round - Barrier.KEPT_ROUNDS), round)
                    .mapToObj(number -> verdict(number, lines))
                    .flatMap(Optional::stream)
                    .toList();
            return new BarrierRecord(parties, round, verdicts);
        } catch (NumberFormatException foreign) {
            throw new CoordinationException(
                    item.key() + " should have the lines 'parties=N' and 'round=N' of a barrier, and has other text",
                    foreign);
        }
    }

    private static Optional<Verdict> verdict(long round, Map<String, String> lines) {
        String passed = lines.get(PASSED + round);
        String ids = passed == null ? lines.get(BROKEN + round) : passed;
        return Optional.ofNullable(ids)
                .map(all -> new Verdict(
                        round,
                        passed != null,
                        List.of(all.split(" ")),
                        lines.getOrDefault(BY + round, ""),
                        lines.getOrDefault(WHY + round, "")));
    }

    byte[] encode() {
        TextLines lines =
                new TextLines().add(PARTIES, Integer.toString(parties)).add(ROUND, Long.toString(round));
        for (Verdict verdict : verdicts) {
            String ids = String.join(" ", verdict.parties);
            lines.add((verdict.passed ? PASSED : BROKEN) + verdict.round, ids);
            if (!verdict.passed) {
                lines.add(BY + verdict.round, verdict.by).add(WHY + verdict.round, verdict.why);
            }
        }
        return lines.bytes();
    }

    /** Returns the verdict of the round that this party was in; empty if it is in none of those that are kept. */
    Optional<Verdict> verdictOf(String party) {
        return verdicts.stream()
                .filter(verdict -> verdict.parties.contains(party))
                .findFirst();
    }

    /**
     * Returns whether it is clear why a party does not stand any more that stood when this round was not decided. It is
     * taken for clear if a verdict since then is not kept any more.
     */
    boolean explains(String party, long then) {
        return verdicts.stream().anyMatch(verdict -> verdict.parties.contains(party) || verdict.by.equals(party))
                || isForgotten(then);
    }

    /** Returns whether this round was decided, and its verdict is not kept any more. */
    boolean isForgotten(long number) {
        return round - verdicts.size() > number;
    }

    /** Returns the record with the verdict that the round has passed with these parties. */
    BarrierRecord passed(List<String> ids) {
        return decided(new Verdict(round, true, ids, "", ""));
    }

    /** Returns the record with the verdict that this party broke the round. */
    BarrierRecord broken(List<String> ids, String by, String why) {
        return decided(new Verdict(round, false, ids, by, why));
    }

    private BarrierRecord decided(Verdict verdict) {
        List<Verdict> kept = new ArrayList<>(verdicts);
        kept.add(verdict);
        int first = Math.max(0, kept.size() - Barrier.KEPT_ROUNDS);
        return new BarrierRecord(parties, round + 1, List.copyOf(kept.subList(first, kept.size())));
    }
}
