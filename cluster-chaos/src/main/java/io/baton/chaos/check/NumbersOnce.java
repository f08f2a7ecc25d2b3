package io.baton.chaos.check;

import io.baton.chaos.client.RecipeNames;
import io.baton.chaos.history.Event;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * No two have the same number of the sequence, and each has rising ones; but for those of a block that was taken while a
 * fail-over may have lost that.
 */
final class NumbersOnce implements Check {

    /** A number, and between which moments its owner took the block that it is from. */
    private record OwnNumber(Event event, long from, long to) {

        static OwnNumber of(Told numbered, Optional<OwnNumber> before) {
            Event event = numbered.event();
            return before.filter(former -> former.isInOneBlockWith(event))
                    .map(former -> new OwnNumber(event, former.from, former.to))
                    .orElse(new OwnNumber(event, numbered.asked(), event.nanos()));
        }

        private boolean isInOneBlockWith(Event next) {
            return block(event) == block(next) && event.number("number") < next.number("number");
        }

        private static long block(Event event) {
            return (event.number("number") - 1) / RecipeNames.BLOCK;
        }

        boolean mayHaveBeenLost(List<LossWindow> windows) {
            return windows.stream().anyMatch(window -> window.mayHaveLost(from, to));
        }
    }

    NumbersOnce() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Map<Long, OwnNumber> owners = new HashMap<>();
        Map<String, OwnNumber> newest = new HashMap<>();
        for (Told numbered : history.recipes().numbers()) {
            Event event = numbered.event();
            OwnNumber before = newest.get(event.who());
            OwnNumber number = OwnNumber.of(numbered, Optional.ofNullable(before));
            newest.put(event.who(), number);
            OwnNumber owner = owners.putIfAbsent(event.number("number"), number);
            if (owner != null) {
                check(owner, number, "have the same number", history, found);
            } else if (before != null && before.event().number("number") > event.number("number")) {
                check(before, number, "do not rise", history, found);
            }
        }
    }

    private static void check(
            OwnNumber one, OwnNumber other, String what, RunHistory history, Consumer<Violation> found) {
        if (one.mayHaveBeenLost(history.lossWindows()) || other.mayHaveBeenLost(history.lossWindows())) {
            return;
        }
        found.accept(new Violation(
                Kind.REPEATED_NUMBER,
                "the sequence",
                Math.min(one.event().nanos(), other.event().nanos()),
                Math.max(one.event().nanos(), other.event().nanos()),
                one.event().line() + " and " + other.event().line() + " " + what));
    }
}
