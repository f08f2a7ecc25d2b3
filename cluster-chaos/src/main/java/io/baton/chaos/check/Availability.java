package io.baton.chaos.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Whenever all is well again, every lock that is wanted is granted within a bound. */
final class Availability implements Check {

    private final Duration bound;

    Availability(Duration bound) {
        this.bound = bound;
    }

    @Override
    public void run(History history, Consumer<Violation> found) {
        Map<String, long[]> grants = grants(history);
        for (long healed : history.healings()) {
            grants.forEach((lock, times) -> {
                long took = wait(times, healed);
                if (took > bound.toNanos()) {
                    found.accept(new Violation(
                            Kind.UNAVAILABLE,
                            lock,
                            healed,
                            healed + bound.toNanos(),
                            lock + " was not granted within " + bound.toMillis() + " ms after all was well again"));
                }
            });
        }
    }

    /** How long it took after each healing until somebody was granted some lock. */
    static List<Duration> untilSomebody(History history) {
        List<Duration> all = new ArrayList<>();
        Map<String, long[]> grants = grants(history);
        for (long healed : history.healings()) {
            grants.values().stream()
                    .mapToLong(times -> wait(times, healed))
                    .min()
                    .ifPresent(took -> all.add(Duration.ofNanos(took)));
        }
        return all;
    }

    /** How long it took after each healing until each lock had been granted. */
    static List<Duration> untilEveryLock(History history) {
        List<Duration> all = new ArrayList<>();
        Map<String, long[]> grants = grants(history);
        for (long healed : history.healings()) {
            grants.values().stream()
                    .mapToLong(times -> wait(times, healed))
                    .max()
                    .ifPresent(took -> all.add(Duration.ofNanos(took)));
        }
        return all;
    }

    /** Until the first grant after that moment; for ever, if there was none. */
    private static long wait(long[] grants, long after) {
        int at = Arrays.binarySearch(grants, after);
        int next = at >= 0 ? at : -at - 1;
        return next < grants.length ? grants[next] - after : Long.MAX_VALUE;
    }

    /** When each lock was granted, in order; those that were asked for and never granted are there as well. */
    private static Map<String, long[]> grants(History history) {
        Map<String, long[]> times = new TreeMap<>();
        history.asks().forEach(ask -> times.put(ask.lock(), new long[0]));
        history.holdingsByLock()
                .forEach((lock, holdings) -> times.put(
                        lock,
                        holdings.stream().mapToLong(Holding::seen).sorted().toArray()));
        return times;
    }
}
