package io.baton.chaos.check;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * No write is applied with a smaller token after one with a larger: neither by the clock, where the one had been
 * acknowledged before the other began, nor by the values that they left, but for those that a fail-over has lost.
 */
final class WritesInOrder implements Check {

    WritesInOrder() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        LostWrites lost = LostWrites.of(history);
        history.writesByLock().values().forEach(writes -> {
            List<Write> applied = writes.stream().filter(Write::applied).toList();
            byTheClock(applied, found);
            byTheValues(applied.stream().filter(write -> !lost.contains(write)).toList(), found);
        });
    }

    private static void byTheClock(List<Write> applied, Consumer<Violation> found) {
        Deque<Write> ended = new ArrayDeque<>(sorted(applied, Write::ended));
        Write largest = null;
        for (Write next : sorted(applied, Write::began)) {
            while (!ended.isEmpty() && ended.element().ended() < next.began()) {
                Write before = ended.remove();
                largest = largest == null || largest.token().isBefore(before.token()) ? before : largest;
            }
            if (largest != null && next.token().isBefore(largest.token())) {
                found.accept(violation(largest, next));
            }
        }
    }

    private static void byTheValues(List<Write> applied, Consumer<Violation> found) {
        Write largest = null;
        for (Write next : sorted(applied, Write::value)) {
            if (largest != null && next.token().isBefore(largest.token()) && largest.value() < next.value()) {
                found.accept(violation(largest, next));
            }
            if (largest == null || largest.token().isBefore(next.token())) {
                largest = next;
            }
        }
    }

    private static List<Write> sorted(List<Write> writes, ToLongFunction<Write> by) {
        return writes.stream().sorted(Comparator.comparingLong(by)).toList();
    }

    private static Violation violation(Write larger, Write late) {
        return new Violation(
                Kind.WRITE_ORDER, late.lock(), late.began(), late.ended(), late + " was applied after " + larger);
    }
}
