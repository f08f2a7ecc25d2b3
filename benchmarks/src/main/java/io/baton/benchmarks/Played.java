package io.baton.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * All rounds of a row, at least one.
 *
 * @param limits what the store alone allowed before them
 */
public record Played(Row row, Limits limits, List<Round> rounds) {

    /** One round of each side. */
    record Round(Outcome peer, Outcome baton) {
        double ratio() {
            return baton.perSecond() / peer.perSecond();
        }
    }

    /** Baton's passes to the peer's, round by round. */
    public Spread ratio() {
        return Spread.of(rounds.stream().mapToDouble(Round::ratio));
    }

    /** How often a second the lock went to another of the peer's workers. */
    public Spread peerChangesPerSecond() {
        return peer(Outcome::changesPerSecond);
    }

    /** How often a second the lock went to another of Baton's workers. */
    public Spread batonChangesPerSecond() {
        return baton(Outcome::changesPerSecond);
    }

    Spread peer(ToDoubleFunction<Outcome> figure) {
        return Spread.of(rounds.stream().map(Round::peer).mapToDouble(figure));
    }

    Spread baton(ToDoubleFunction<Outcome> figure) {
        return Spread.of(rounds.stream().map(Round::baton).mapToDouble(figure));
    }
}
