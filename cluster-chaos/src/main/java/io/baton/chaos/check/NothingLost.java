package io.baton.chaos.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Each applied write counts: no two left the same value, and the counter is in the end what was applied, and perhaps some
 * of those with an unknown outcome. No client reads a refused write. Writes that a fail-over may lose are left out.
 */
final class NothingLost implements Check {

    NothingLost() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        LostWrites lost = LostWrites.of(history);
        lost.checkOrder(found);
        Map<String, List<Write>> byLock = new HashMap<>();
        history.writesByLock().forEach((lock, writes) -> {
            List<Write> kept =
                    writes.stream().filter(write -> !lost.contains(write)).toList();
            byLock.put(lock, kept);
            distinct(kept, found);
            writes.forEach(reader -> history.write(reader.builtOn())
                    .filter(seen -> !lost.mayBeSeenBy(seen, reader))
                    .ifPresent(seen -> truth(seen, reader.began(), found)));
        });
        for (Counted counted : history.counted()) {
            history.write(counted.write()).ifPresent(seen -> truth(seen, counted.at(), found));
            whole(counted, byLock.getOrDefault(counted.lock(), List.of()), found);
        }
    }

    private static void distinct(List<Write> writes, Consumer<Violation> found) {
        Map<Long, Write> byValue = new HashMap<>();
        for (Write write : writes) {
            Write other = write.applied() ? byValue.putIfAbsent(write.value(), write) : null;
            if (other != null) {
                found.accept(new Violation(
                        Kind.LOST_UPDATE,
                        write.lock(),
                        Math.min(other.began(), write.began()),
                        Math.max(other.known(), write.known()),
                        other + " and " + write + " built on the same value"));
            }
        }
    }

    /** The counter is as many as were applied, no more than may have been, and each value comes from somewhere. */
    private static void whole(Counted counted, List<Write> writes, Consumer<Violation> found) {
        long applied = writes.stream().filter(Write::applied).count();
        long possible = writes.stream().filter(Write::possible).count();
        if (counted.value() < applied || counted.value() > possible) {
            found.accept(lost(
                    counted,
                    "is " + counted.value() + " in the end, after " + applied + " writes that were"
                            + " applied for certain, and " + possible + " at most"));
        }
        Set<Long> values = new HashSet<>();
        writes.stream().filter(Write::possible).forEach(write -> values.add(write.value()));
        List<Long> missing = new ArrayList<>();
        for (long value = 1; value <= counted.value(); value++) {
            if (!values.contains(value)) {
                missing.add(value);
            }
        }
        if (!missing.isEmpty()) {
            found.accept(lost(counted, "had values that nobody wrote: " + missing));
        }
    }

    private static Violation lost(Counted counted, String what) {
        return new Violation(
                Kind.LOST_UPDATE,
                counted.lock(),
                counted.at(),
                counted.at(),
                "the counter of " + counted.lock() + " " + what);
    }

    /** Whose value was read must have been applied. */
    private static void truth(Write seen, long at, Consumer<Violation> found) {
        if (!seen.possible()) {
            found.accept(new Violation(
                    Kind.FALSE_OUTCOME,
                    seen.lock(),
                    seen.began(),
                    at,
                    seen + " was not applied by its writer's word, and was read"));
        }
    }
}
