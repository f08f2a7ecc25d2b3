package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What the values of a space have been, one state after the other, as known to the only one who writes. */
final class ConfigCourse {

    /** Somewhere between the state before and the one after. */
    static final long UNKNOWN = 0;

    /** A listener is not told the number of the last change. */
    static final long UNTOLD = -1;

    private final List<State> states = new ArrayList<>();

    /** All values together, where in the store's order they came about, and the last change that is in them. */
    private record State(SortedMap<String, String> values, long since, long change) {}

    /** Values as somebody was told of them. */
    record Told(long revision, long change, SortedMap<String, String> values) {}

    ConfigCourse() {
        states.add(new State(new TreeMap<>(), UNKNOWN, 0));
    }

    /** Another state has come about, by a change of Baton's. */
    synchronized void changed(Map<String, String> values, long revision, long change) {
        states.add(new State(new TreeMap<>(values), revision, change));
    }

    /** Another state has come about, by somebody who writes without Baton. */
    synchronized void written(Map<String, String> values, long revision) {
        changed(values, revision, last().change());
    }

    synchronized SortedMap<String, String> values() {
        return last().values();
    }

    synchronized long change() {
        return last().change();
    }

    /** What was told is states of the course, in its order, and the last of them. */
    synchronized void assertFollowed(List<Told> all) {
        int at = 0;
        for (int i = 0; i < all.size(); i++) {
            int from = at;
            while (at < states.size() && !fits(at, all.get(i))) {
                at++;
            }
            assertThat(at)
                    .as("%s, told after %s, is no state from %d on of %s", all.get(i), all.subList(0, i), from, states)
                    .isLessThan(states.size());
        }
        assertThat(all).as("the last state has to be told").isNotEmpty();
        assertThat(all.get(all.size() - 1).values()).isEqualTo(last().values());
    }

    /** Whether all states since the first that was told were told, too. */
    synchronized boolean isTold(List<Told> all) {
        return IntStream.range(0, states.size())
                .filter(at -> states.get(at).since() > all.get(0).revision())
                .allMatch(at -> all.stream().anyMatch(told -> fits(at, told)));
    }

    private boolean fits(int at, Told told) {
        State state = states.get(at);
        long next = at + 1 < states.size() ? states.get(at + 1).since() : UNKNOWN;
        return state.values().equals(told.values())
                && (told.change() == UNTOLD || told.change() == state.change())
                && state.since() <= told.revision()
                && (next == UNKNOWN || told.revision() < next);
    }

    private State last() {
        return states.get(states.size() - 1);
    }
}
