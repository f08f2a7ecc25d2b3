package io.baton.chaos.client;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What clients contend on, by name: locks, and half as many read/write locks and semaphores.
 *
 * @param count how many locks there are
 */
public record LockNames(int count) {

    private static final List<Integer> SIZES = List.of(3, 5, 4);

    /** The locks, which multi-locks take as well. */
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

    /** All of them. */
    public List<String> all() {
        return Stream.of(locks(), readWriteLocks(), semaphores().keySet())
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
