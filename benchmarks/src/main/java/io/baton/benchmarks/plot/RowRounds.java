package io.baton.benchmarks.plot;

import io.baton.benchmarks.Spread;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All rounds of a row. */
record RowRounds(String row, int clients, double roundTripMillis, List<SideRound> rounds) {

    static final String BATON = "baton";

    /** All rows, in the order of the raw data. */
    static List<RowRounds> of(List<SideRound> all) {
        return all.stream()
                .collect(Collectors.groupingBy(SideRound::row, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(rounds -> {
                    SideRound first = rounds.get(0);
                    return new RowRounds(first.row(), first.clients(), first.roundTripMillis(), rounds);
                })
                .toList();
    }

    /** Beside whom Baton was measured. */
    String peer() {
        return rounds.stream()
                .map(SideRound::side)
                .filter(side -> !side.equals(BATON))
                .findFirst()
                .orElseThrow();
    }

    /** Whether clients hand a lock on. */
    boolean handsOff() {
        return row.startsWith("hand-off-");
    }

    /** Passes of this side. */
    Spread perSecond(String side) {
        return Spread.of(passes(side).stream().mapToDouble(Double::doubleValue));
    }

    /** Baton's passes to those of the peer in the same round. */
    Spread ratio() {
        List<Double> baton = passes(BATON);
        List<Double> other = passes(peer());
        return Spread.of(IntStream.range(0, baton.size()).mapToDouble(i -> baton.get(i) / other.get(i)));
    }

    private List<Double> passes(String side) {
        return rounds.stream()
                .filter(round -> round.side().equals(side))
                .map(SideRound::perSecond)
                .toList();
    }
}
