package io.baton.chaos.check;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A question has one answer: all clients that ask it get the same one, which a handler gave to it before. */
final class AnswersAgree implements Check {

    AnswersAgree() {}

    @Override
    public void run(RunHistory history, Consumer<Violation> found) {
        Map<String, Event> given = new HashMap<>();
        history.recipes().events(EventKind.ANSWERING).forEach(event -> given.put(event.text("answer"), event));
        List<Told> all = history.recipes().events(EventKind.ANSWERED).stream()
                .map(Told::of)
                .toList();
        Map<String, Told> first = new HashMap<>();
        for (Told told : Told.kept(all, history.lossWindows())) {
            Told before = first.putIfAbsent(told.text("question"), told);
            if (before != null && !before.text("answer").equals(told.text("answer"))) {
                found.accept(
                        violation(told, "is not the answer of " + before.event().line()));
            }
            Event giving = given.get(told.text("answer"));
            if (giving == null
                    || giving.nanos() > told.at()
                    || !giving.text("question").equals(told.text("question"))) {
                found.accept(violation(told, "is not an answer that was given"));
            }
        }
    }

    private static Violation violation(Told told, String what) {
        return new Violation(
                Kind.WRONG_ANSWER,
                told.text("question"),
                told.at(),
                told.at(),
                told.event().line() + " " + what);
    }
}
