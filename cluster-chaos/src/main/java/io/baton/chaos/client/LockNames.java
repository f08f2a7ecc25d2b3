package io.baton.chaos.client;

import io.baton.LockOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What clients contend on, by name: locks, half as many read/write locks and semaphores, and locks with options.
 *
 * @param count how many locks there are
 */
public record LockNames(int count) {

    private static final List<Integer> SIZES = List.of(3, 5, 4);

    private static final LockOptions COHORT =
            LockOptions.builder().cohort(3, Duration.ofMillis(500)).build();
    private static final LockOptions LINGERING_COHORT = LockOptions.builder()
            .cohort(5, Duration.ofSeconds(1))
            .linger(Duration.ofMillis(700))
            .build();
    private static final LockOptions HELD_AT_LEAST =
            LockOptions.builder().holdAtLeast(Duration.ofSeconds(1)).build();
    private static final LockOptions DELAYED_AFTER_LOSS =
            LockOptions.builder().delayAfterLoss(Duration.ofSeconds(2)).build();

    /** The locks without options, which multi-locks take as well. */
    public List<String> locks() {
        return numbered("lock-", count);
    }

    /** The read/write locks. */
    public List<String> readWriteLocks() {
        return numbered("read-write-", half());
    }

    /** The semaphores, with their sizes. */
    public Map<String, Integer> semaphores() {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        numbered("semaphore-", half())
                .forEach(semaphore -> sizes.put(semaphore, SIZES.get(sizes.size() % SIZES.size())));
        return sizes;
    }

    /** Locks for which the contenders of a process share a place in line, with their options. */
    public Map<String, LockOptions> cohorts() {
        return new TreeMap<>(Map.of("cohort-1", COHORT, "cohort-2", LINGERING_COHORT));
    }

    /** Locks that may rest between two holds, with their options. */
    public Map<String, LockOptions> resting() {
        return new TreeMap<>(Map.of("hold-at-least", HELD_AT_LEAST, "delay-after-loss", DELAYED_AFTER_LOSS));
    }

    /** Those with options, and those without. */
    public List<String> allLocks() {
        return Stream.of(locks(), cohorts().keySet(), resting().keySet())
                .flatMap(Collection::stream)
                .toList();
    }

    /** All of them. */
    public List<String> all() {
        return Stream.of(allLocks(), readWriteLocks(), semaphores().keySet())
                .flatMap(Collection::stream)
                .toList();
    }

    private int half() {
        return Math.max(1, count / 2);
    }

    private static List<String> numbered(String prefix, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> prefix + number)
                .toList();
    }
}
