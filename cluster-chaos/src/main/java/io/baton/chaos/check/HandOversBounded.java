package io.baton.chaos.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * While another entry stands in the line, a place passes from owner to owner within its process no more often than the
 * options of its lock allow.
 *
 * <p>Where tokens are the store's revisions, all entries of a run were made in the order of their tokens, whatever their
 * locks. The next entry in line therefore stood when any hold with a larger token had been granted. (A store that numbers
 * each line on its own proves nothing of the kind, so this is not checked there.) If that was while a
 * hold ahead of the place still stood, then the place was granted in view of the next entry, which stood until its own
 * grant. Only then each hand-over counts for certain. The time after which others go first is not judged: it begins when
 * the process sees them, and that moment is not noted.
 */
final class HandOversBounded implements Check {

    HandOversBounded() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        NavigableMap<Long, Long> earliest = earliestGrants(history);
        history.holdingsByLock().values().stream()
                .filter(holdings -> holdings.get(0).terms().handOvers() > 0)
                .forEach(holdings -> check(holdings, earliest, found));
    }

    /** When the first hold with this token or a larger one was seen to be granted. */
    private static NavigableMap<Long, Long> earliestGrants(RunHistory history) {
        NavigableMap<Long, Long> earliest = new TreeMap<>();
        history.holdings().stream()
                .sorted(Comparator.comparing(Holding::token).reversed())
                .forEach(holding -> earliest.put(
                        holding.token().token(),
                        earliest.isEmpty()
                                ? holding.seen()
                                : Math.min(holding.seen(), earliest.firstEntry().getValue())));
        return earliest;
    }

    private static void check(List<Holding> holdings, NavigableMap<Long, Long> earliest, Consumer<Violation> found) {
        List<List<Holding>> places = new ArrayList<>(holdings.stream()
                .collect(Collectors.groupingBy(holding -> holding.token().token(), TreeMap::new, Collectors.toList()))
                .values());
        long heldBefore = Long.MIN_VALUE;
        for (int i = 0; i + 1 < places.size(); i++) {
            List<Holding> place = places.get(i);
            Holding next = places.get(i + 1).get(0);
            long most = 1 + next.terms().handOvers();
            if (place.size() > most && stoodBy(next, earliest) < heldBefore) {
                found.accept(violation(place, next));
            }
            heldBefore = Math.max(
                    heldBefore,
                    place.stream().mapToLong(Holding::validUntil).max().orElseThrow());
        }
    }

    /** By when the entry stood in line for certain. */
    private static long stoodBy(Holding next, NavigableMap<Long, Long> earliest) {
        Map.Entry<Long, Long> later = earliest.higherEntry(next.token().token());
        return later == null ? Long.MAX_VALUE : later.getValue();
    }

    private static Violation violation(List<Holding> place, Holding next) {
        return new Violation(
                Kind.TOO_MANY_HAND_OVERS,
                next.lock(),
                place.get(0).seen(),
                next.seen(),
                place.size() + " owners in one process held " + next.lock() + " one after the other with token "
                        + place.get(0).token().token() + ", more than "
                        + next.terms().handOvers()
                        + " hand-overs, while " + next.who() + " waited behind them");
    }
}
