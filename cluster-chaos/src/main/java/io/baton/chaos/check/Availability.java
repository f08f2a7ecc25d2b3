package io.baton.chaos.check;

import io.baton.chaos.history.FencingToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whenever all is well again, every lock that is wanted and free is granted within a bound.
 *
 * <p>The time is counted from when all was well, somebody had asked, and the last holder had let go; a holder that was
 * killed, frozen or cut off was last seen to hold when it last looked at its hold. Where the lock has to rest after a
 * hold, the holder has let go when that time is over.
 */
final class Availability implements Check {

    /** One lock after one healing. */
    private record Gap(String lock, long since, long until) {

        long length() {
            return until - since;
        }
    }

    /**
     * Somebody has one lock, or some permits.
     *
     * @param over when it was let go, or last seen to be held
     * @param granted whether it was waited for; a writer that goes on as a reader has not waited
     */
    private record Turn(long asked, long began, long over, boolean granted) {}

    private final Duration bound;

    Availability(Duration bound) {
        this.bound = bound;
    }

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        for (Gap gap : gaps(history)) {
            if (gap.length() > bound.toNanos()) {
                found.accept(new Violation(
                        Kind.UNAVAILABLE,
                        gap.lock(),
                        gap.since(),
                        gap.until(),
                        gap.lock() + " was free and wanted for " + Times.millis(gap.length()) + " while all was well"));
            }
        }
    }

    /** How long it took after each healing until each lock, wanted and free, was granted. */
    static List<Duration> lengths(RunHistory history) {
        return gaps(history).stream().map(gap -> Duration.ofNanos(gap.length())).toList();
    }

    private static List<Gap> gaps(RunHistory history) {
        List<Gap> gaps = new ArrayList<>();
        Map<String, List<Holding>> holdings = history.holdingsByLock();
        Map<String, List<Part>> parts = history.partsByLock();
        TreeSet<String> locks = new TreeSet<>(holdings.keySet());
        locks.addAll(parts.keySet());
        history.waiting().forEach(ask -> locks.add(ask.lock()));
        for (String lock : locks) {
            List<Turn> inOrder =
                    turns(history, holdings.getOrDefault(lock, List.of()), parts.getOrDefault(lock, List.of()));
            history.healings().forEach(healed -> gap(history, lock, inOrder, healed, gaps));
        }
        return gaps;
    }

    /** In the order in which they began. Where a lock was a part of several, the part was granted before all of them. */
    private static List<Turn> turns(RunHistory history, List<Holding> holdings, List<Part> parts) {
        Set<FencingToken> tokens = parts.stream().map(Part::token).collect(Collectors.toSet());
        Stream<Turn> seen = holdings.stream()
                .filter(holding -> !tokens.contains(holding.token()))
                .map(holding -> new Turn(holding.asked(), holding.seen(), free(holding), !holding.downgraded()));
        Stream<Turn> taken = parts.stream()
                .map(part -> new Turn(
                        part.asked(),
                        part.taken(),
                        Math.min(part.gone(), history.killed(part.who()).orElse(Long.MAX_VALUE)),
                        true));
        return Stream.concat(seen, taken)
                .sorted(Comparator.comparingLong(Turn::began))
                .toList();
    }

    /** When the lock could be granted again after this hold. Its time to rest is taken as long as it may be. */
    private static long free(Holding holding) {
        return holding.over() + holding.terms().rest();
    }

    /** Up to the first grant after the healing, or up to the end where somebody waits and there is none. */
    private static void gap(RunHistory history, String lock, List<Turn> inOrder, long healed, List<Gap> gaps) {
        long free = healed;
        for (Turn next : inOrder) {
            if (next.granted() && next.began() > healed) {
                gaps.add(new Gap(lock, Math.min(next.began(), Math.max(free, next.asked())), next.began()));
                return;
            }
            free = Math.max(free, next.over());
        }
        long since = free;
        history.waiting().stream().filter(ask -> ask.lock().equals(lock)).mapToLong(Ask::at).min().stream()
                .map(asked -> Math.max(since, asked))
                .filter(wanted -> wanted < history.newest())
                .forEach(wanted -> gaps.add(new Gap(lock, wanted, history.newest())));
    }
}
