package io.baton.chaos.check;

import io.baton.chaos.client.RecipeNames;
import io.baton.chaos.history.EventKind;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
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
        List<Told> all = history.recipes().events(EventKind.TOLD_VERDICT).stream()
                .map(Told::of)
                .toList();
        Map<Boolean, List<Told>> alone = Told.kept(all, history.lossWindows()).stream()
                .collect(Collectors.partitioningBy(BarriersAgree::isAlone));
        Map<String, NavigableMap<Long, List<Told>>> places = alone.getOrDefault(false, List.of()).stream()
                .collect(Collectors.groupingBy(
                        each -> each.text("at"),
                        TreeMap::new,
                        Collectors.groupingBy(
                                each -> each.event().number("number"), TreeMap::new, Collectors.toList())));
        places.values().forEach(rounds -> rounds.values().forEach(round -> check(round, found)));
        alone.getOrDefault(true, List.of())
                .forEach(each -> places.getOrDefault(each.text("at"), Collections.emptyNavigableMap())
                        .values()
                        .forEach(round -> inNoOther(each, round.get(0), found)));
        NavigableMap<Long, List<Told>> entries =
                places.getOrDefault(RecipeNames.ENTRY, Collections.emptyNavigableMap());
        places.getOrDefault(RecipeNames.EXIT, Collections.emptyNavigableMap()).forEach((number, exit) -> {
            if (passed(exit.get(0))) {
                entries.tailMap(number, false).values().stream()
                        .filter(entry -> passed(entry.get(0)))
                        .findFirst()
                        .ifPresent(next -> came(exit, next, "the next round was entered", found));
            }
        });
    }

    private static boolean isAlone(Told told) {
        return !passed(told) && told.text("parties").equals(told.text("me"));
    }

    private static void inNoOther(Told alone, Told other, Consumer<Violation> found) {
        if (List.of(other.text("parties").split(",", -1)).contains(alone.text("me"))) {
            found.accept(violation(Kind.SPLIT_VERDICT, alone, other, "were told different verdicts"));
        }
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
