package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The successive states of a space's values, as recorded by its only writer. */
final class ConfigCourse {

    /** Between the state before and the one after. */
    static final long UNKNOWN = 0;

    /** Listeners do not receive the number of the last change. */
    static final long UNTOLD = -1;

    private final List<State> states = new ArrayList<>();

    /** All values, the revision at which they came about, and the last change among them. */
    private record State(SortedMap<String, String> values, long since, long change) {}

    /** Values that a follower received. */
    record Told(long revision, long change, SortedMap<String, String> values) {}

    ConfigCourse() {
        states.add(new State(new TreeMap<>(), UNKNOWN, 0));
    }

    /** Adds a state that a change of Baton's made. */
    synchronized void changed(Map<String, String> values, long revision, long change) {
        states.add(new State(new TreeMap<>(values), revision, change));
    }

    /** Adds a state that a writer without Baton made. */
    synchronized void written(Map<String, String> values, long revision) {
        changed(values, revision, last().change());
    }

    synchronized SortedMap<String, String> values() {
        return last().values();
    }

    synchronized long change() {
        return last().change();
    }

    /** Checks that these are states of the course, in its order, and end with the last one. */
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

    /** Whether they include every state of the course since the first of them. */
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
