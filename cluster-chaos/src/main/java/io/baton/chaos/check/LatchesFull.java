package io.baton.chaos.check;

import io.baton.chaos.client.RecipeNames;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A latch releases no waiter before enough ids have counted down. All waiters of a latch see the same ids, and every id
 * that was told that it counts is among them.
 */
final class LatchesFull implements Check {

    LatchesFull() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Map<String, List<Event>> counting = history.recipes().events(EventKind.COUNTING_DOWN).stream()
                .collect(Collectors.groupingBy(event -> event.text("latch")));
        Map<String, List<Told>> counted = told(history, EventKind.COUNTED_DOWN);
        told(history, EventKind.LET_GO).forEach((latch, all) -> {
            Told first = all.get(0);
            for (Told each : all) {
                if (!each.text("counted").equals(first.text("counted"))) {
                    found.accept(violation(
                            latch,
                            each,
                            "does not see what was seen in " + first.event().line()));
                }
                check(latch, each, counting.getOrDefault(latch, List.of()), found);
            }
            Set<String> ids = ids(first);
            counted.getOrDefault(latch, List.of()).stream()
                    .filter(each -> !ids.contains(each.text("id")))
                    .forEach(each -> found.accept(
                            violation(latch, each, "is not in " + first.event().line())));
        });
    }

    private static void check(String latch, Told told, List<Event> counting, Consumer<Violation> found) {
        Set<String> begun = counting.stream()
                .filter(event -> event.nanos() <= told.at())
                .map(event -> event.text("id"))
                .collect(Collectors.toSet());
        if (ids(told).size() != RecipeNames.COUNT || !begun.containsAll(ids(told))) {
            found.accept(violation(latch, told, "though " + begun + " had begun to count down"));
        }
    }

    private static Map<String, List<Told>> told(RunHistory history, EventKind kind) {
        List<Told> all = history.recipes().events(kind).stream().map(Told::of).toList();
        return Told.kept(all, history.lossWindows()).stream()
                .collect(Collectors.groupingBy(told -> told.text("latch"), TreeMap::new, Collectors.toList()));
    }

    private static Set<String> ids(Told told) {
        return new HashSet<>(Arrays.asList(told.text("counted").split(",", -1)));
    }

    private static Violation violation(String latch, Told told, String what) {
        return new Violation(
                Kind.WRONG_LATCH, latch, told.at(), told.at(), told.event().line() + " " + what);
    }
}
