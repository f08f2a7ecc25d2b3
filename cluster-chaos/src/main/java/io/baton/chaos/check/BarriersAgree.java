package io.baton.chaos.check;

import io.baton.chaos.client.RecipeNames;
import io.baton.chaos.history.EventKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * All parties of a round of a barrier are told the same, each of them once. None passes before all have come, nor enters a
 * double barrier before all have left that passed out of it in the round before.
 *
 * <p>A party that goes while others are the next round is told that it was alone in a broken one. That has a number which
 * another round has, too, and no other party.
 */
final class BarriersAgree implements Check {

    BarriersAgree() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        List<Told> told = history.recipes().events(EventKind.TOLD_VERDICT).stream()
                .map(Told::of)
                .filter(each -> passed(each) || !each.text("parties").equals(each.text("me")))
                .toList();
        Map<String, Map<Long, List<Told>>> places = Told.kept(told, history.lossWindows()).stream()
                .collect(Collectors.groupingBy(
                        each -> each.text("at"),
                        TreeMap::new,
                        Collectors.groupingBy(
                                each -> each.event().number("number"), TreeMap::new, Collectors.toList())));
        places.values().forEach(rounds -> rounds.values().forEach(round -> check(round, found)));
        Map<Long, List<Told>> entries = places.getOrDefault(RecipeNames.ENTRY, Map.of());
        places.getOrDefault(RecipeNames.EXIT, Map.of()).forEach((number, exit) -> {
            List<Told> next = entries.getOrDefault(number + 1, List.of()).stream()
                    .filter(BarriersAgree::passed)
                    .toList();
            if (passed(exit.get(0)) && !next.isEmpty()) {
                came(exit, next, "the next round was entered", found);
            }
        });
    }

    private static void check(List<Told> round, Consumer<Violation> found) {
        Told first = round.get(0);
        Map<String, Told> parties = new HashMap<>();
        for (Told each : round) {
            Told same = parties.putIfAbsent(each.text("me"), each);
            if (same != null) {
                found.accept(violation(Kind.SPLIT_VERDICT, same, each, "are one party"));
            } else if (!each.text("passed").equals(first.text("passed"))
                    || !each.text("parties").equals(first.text("parties"))) {
                found.accept(violation(Kind.SPLIT_VERDICT, first, each, "were told different verdicts"));
            }
        }
        if (passed(first)) {
            int size = first.text("parties").split(",", -1).length;
            if (size != RecipeNames.PARTIES) {
                found.accept(violation(Kind.EARLY_PASS, first, first, "passed with " + size + " parties"));
            }
            came(round, round, "they passed", found);
        }
    }

    /** All of these had come when the first of those was told that this happened. */
    private static void came(List<Told> coming, List<Told> told, String what, Consumer<Violation> found) {
        Told last = coming.get(0);
        for (Told each : coming) {
            last = each.asked() > last.asked() ? each : last;
        }
        Told first = told.get(0);
        for (Told each : told) {
            first = each.at() < first.at() ? each : first;
        }
        if (first.at() < last.asked()) {
            found.accept(violation(Kind.EARLY_PASS, last, first, "came later than " + what));
        }
    }

    private static boolean passed(Told told) {
        return Boolean.parseBoolean(told.text("passed"));
    }

    private static Violation violation(Kind kind, Told one, Told other, String what) {
        return new Violation(
                kind,
                one.text("at"),
                Math.min(one.at(), other.at()),
                Math.max(one.at(), other.at()),
                one.event().line() + " and " + other.event().line() + " " + what);
    }
}
