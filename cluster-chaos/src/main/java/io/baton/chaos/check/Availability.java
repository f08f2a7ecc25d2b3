package io.baton.chaos.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Whenever all is well again, every lock that is wanted and free is granted within a bound.
 *
 * <p>The time is counted from when all was well, somebody had asked, and the last holder had let go; a holder that was
 * killed, frozen or cut off was last seen to hold when it last looked at its hold.
 */
final class Availability implements Check {

    /** One lock after one healing. */
    private record Gap(String lock, long since, long until) {

        long length() {
            return until - since;
        }
    }

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
        Map<String, List<Holding>> byLock = history.holdingsByLock();
        TreeSet<String> locks = new TreeSet<>(byLock.keySet());
        history.waiting().forEach(ask -> locks.add(ask.lock()));
        for (String lock : locks) {
            List<Holding> inOrder = byLock.getOrDefault(lock, List.of()).stream()
                    .sorted(Comparator.comparingLong(Holding::seen))
                    .toList();
            history.healings().forEach(healed -> gap(history, lock, inOrder, healed, gaps));
        }
        return gaps;
    }

    /** Up to the first grant after the healing, or up to the end where somebody waits and there is none. */
    private static void gap(RunHistory history, String lock, List<Holding> inOrder, long healed, List<Gap> gaps) {
        long free = healed;
        for (Holding next : inOrder) {
            if (next.seen() > healed) {
                gaps.add(new Gap(lock, Math.min(next.seen(), Math.max(free, next.asked())), next.seen()));
                return;
            }
            free = Math.max(free, next.over());
        }
        long since = free;
        history.waiting().stream()
                .filter(ask -> ask.lock().equals(lock))
                .mapToLong(Ask::at)
                .min()
                .ifPresent(asked -> gaps.add(new Gap(lock, Math.max(since, asked), history.newest())));
    }
}
