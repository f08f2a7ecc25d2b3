package io.baton.chaos.check;

import io.baton.chaos.history.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** No two have the same number of the sequence, and each has rising ones. */
final class NumbersOnce implements Check {

    NumbersOnce() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Map<Long, Event> owners = new HashMap<>();
        Map<String, Event> newest = new HashMap<>();
        for (Event event : history.numbers()) {
            Event owner = owners.putIfAbsent(event.number("number"), event);
            Event before = newest.put(event.who(), event);
            if (owner != null) {
                found.accept(violation(owner, event, "have the same number"));
            } else if (before != null && before.number("number") > event.number("number")) {
                found.accept(violation(before, event, "do not rise"));
            }
        }
    }

    private static Violation violation(Event one, Event other, String what) {
        return new Violation(
                Kind.REPEATED_NUMBER,
                "the sequence",
                Math.min(one.nanos(), other.nanos()),
                Math.max(one.nanos(), other.nanos()),
                one.line() + " and " + other.line() + " " + what);
    }
}
