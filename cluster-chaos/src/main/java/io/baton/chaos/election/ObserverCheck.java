package io.baton.chaos.election;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What observers were told, compared with what leaders have told: while an observer has contact it is told of each leader who
 * led for longer than one read took, and of each once, in order, under the right name.
 */
final class ObserverCheck {

    private final TreeMap<Long, Event> elected = new TreeMap<>();
    private final Map<String, List<Event>> told;
    private final List<Succession> successions;
    private final List<String> violations = new ArrayList<>();
    private long expected;
    private long tooShort;

    private ObserverCheck(List<Event> events, List<Succession> successions) {
        this.successions = successions;
        events.stream()
                .filter(event -> event.what() == EventKind.ELECTED)
                .forEach(event -> elected.put(event.number("term"), event));
        this.told = events.stream()
                .filter(event -> event.what() == EventKind.SAW || event.what() == EventKind.READ)
                .collect(Collectors.groupingBy(Event::who));
    }

    /** Compares all that was told by {@code end}. */
    static ObserverCheck check(List<Event> events, List<Succession> successions, long end) {
        ObserverCheck sights = new ObserverCheck(
                events.stream().filter(event -> event.nanos() <= end).toList(), successions);
        sights.told.forEach(sights::check);
        return sights;
    }

    /** What is not as it should be, for people. */
    List<String> violations() {
        return violations;
    }

    /** How often some observer was to be told of some leader. */
    long expected() {
        return expected;
    }

    /** How often one was not, as that leader did not lead for longer than a read took. */
    long tooShort() {
        return tooShort;
    }

    private void check(String observer, List<Event> its) {
        checkOrder(observer, its);
        List<Event> seen = its.stream().filter(ObserverCheck::somebody).toList();
        if (seen.isEmpty()) {
            violations.add(observer + " has seen nobody");
            return;
        }
        long read = its.stream()
                .filter(event -> event.what() == EventKind.READ)
                .mapToLong(event -> event.number("took"))
                .max()
                .orElse(0);
        var terms = seen.stream().map(event -> event.number("term")).collect(Collectors.toSet());
        elected.tailMap(seen.get(0).number("term")).forEach((term, leader) -> {
            Map.Entry<Long, Event> next = elected.higherEntry(term);
            if (next == null
                    || !inContact(observer, leader.nanos(), next.getValue().nanos())) {
                return;
            }
            expected++;
            long lasted = next.getValue().nanos() - leader.nanos();
            if (!terms.contains(term) && lasted > read) {
                violations.add(observer + " was not told of " + leader.line() + ", who led for " + lasted
                        + " ns; its longest read took " + read + " ns");
            } else if (!terms.contains(term)) {
                tooShort++;
            }
        });
    }

    private void checkOrder(String observer, List<Event> its) {
        long last = 0;
        boolean nobody = false;
        for (Event event : its) {
            if (event.what() == EventKind.SAW && !somebody(event)) {
                if (nobody) {
                    violations.add(observer + " was told twice that there is nobody: " + event.line());
                }
                nobody = true;
            } else if (event.what() == EventKind.SAW) {
                long term = event.number("term");
                Event leader = elected.get(term);
                if (term < last || (term == last && !nobody)) {
                    violations.add(observer + " was told in the wrong order, or twice: " + event.line());
                }
                if (leader != null && !leader.who().equals(event.text("id"))) {
                    violations.add(observer + " was told another name than " + leader.who() + ": " + event.line());
                }
                last = term;
                nobody = false;
            }
        }
    }

    /** Whether nothing came between this observer's process and the store while that leader led. */
    private boolean inContact(String observer, long from, long to) {
        return successions.stream()
                .filter(each ->
                        each.deed().endsContact() && each.before().process().equals(observer))
                .allMatch(each -> to < each.from() || (each.deed() != Cause.KILLED && each.over() < from));
    }

    private static boolean somebody(Event event) {
        return event.what() == EventKind.SAW && !event.text("term").isEmpty();
    }
}
