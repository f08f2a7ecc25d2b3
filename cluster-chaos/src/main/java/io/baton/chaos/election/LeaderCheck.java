package io.baton.chaos.election;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What leaders have told, compared: terms rise; who could stop in time has stopped, by its own deadline and before the next
 * one began; no write of a term was applied that was sent when a later term had begun.
 */
final class LeaderCheck {

    private final List<Event> events;
    private final Map<Long, Cause> deeds = new HashMap<>();
    private final TreeMap<Long, Event> elected = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();

    private LeaderCheck(List<Event> events, List<Succession> successions) {
        this.events = events;
        successions.forEach(each -> deeds.put(each.term(), each.deed()));
    }

    /** What is not as it should be, for people. */
    static List<String> check(List<Event> events, List<Succession> successions) {
        LeaderCheck claims = new LeaderCheck(events, successions);
        claims.checkTerms();
        claims.checkStops();
        claims.checkWrites();
        return claims.violations;
    }

    private void checkTerms() {
        long last = 0;
        List<Event> beginnings = events.stream()
                .filter(event -> event.what() == EventKind.ELECTED)
                .sorted(Comparator.comparingLong(Event::nanos))
                .toList();
        for (Event event : beginnings) {
            long term = event.number("term");
            if (term <= last) {
                violations.add("a term does not rise, after " + last + ": " + event.line());
            }
            last = term;
            elected.put(term, event);
        }
    }

    private void checkStops() {
        for (Event stop : events) {
            if (stop.what() != EventKind.STOPPED) {
                continue;
            }
            Cause deed = deeds.get(stop.number("term"));
            if (deed == null || !deed.letsStopInTime()) {
                continue;
            }
            if (stop.number("remaining") <= 0) {
                violations.add("stopped after its deadline (" + deed + "): " + stop.line());
            }
            Map.Entry<Long, Event> next = elected.higherEntry(stop.number("term"));
            if (next != null && next.getValue().nanos() < stop.nanos()) {
                violations.add("stopped after the next had begun (" + deed + "): " + stop.line() + " after "
                        + next.getValue().line());
            }
        }
    }

    private void checkWrites() {
        Map<String, Event> sent = new HashMap<>();
        for (Event event : events) {
            if (event.what() == EventKind.ATTEMPTED) {
                sent.put(event.text("write"), event);
            } else if (event.what() == EventKind.APPLIED) {
                Event attempt = sent.get(event.text("write"));
                Map.Entry<Long, Event> next = elected.higherEntry(event.number("term"));
                if (attempt != null && next != null && next.getValue().nanos() < attempt.nanos()) {
                    violations.add("written by a former leader: " + attempt.line() + " after "
                            + next.getValue().line());
                }
            }
        }
    }
}
