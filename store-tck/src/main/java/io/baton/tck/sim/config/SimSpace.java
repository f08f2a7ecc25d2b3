package io.baton.tck.sim.config;

import io.baton.tck.sim.lock.LockTruth.Written;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The successive states of a space in a simulated store. */
final class SimSpace {

    /** The record tree of the values. */
    static final String TREE = "config";

    /** The key whose value identifies each written state of the run, except writes of single keys. */
    static final String NUMBER = "number";

    static final String LEAST = "limits.least";
    static final String MOST = "limits.most";

    /** Baton's own record of a space. */
    static final String HEAD = "$baton";

    /** The record of a canary. */
    static final String CANARY = "$canary";

    private static final Pattern CHANGE = Pattern.compile("\"change\":(\\d+)");

    /** One in this many consecutive numbers is vetoed. */
    private static final int VETOED_ONCE_IN = 11;

    private final TreeMap<Long, State> states = new TreeMap<>();
    private final Map<Integer, Long> numbers = new HashMap<>(Map.of(0, Long.MIN_VALUE));
    private final Map<Integer, Long> tried = new HashMap<>();
    private final Set<String> everChosen = new HashSet<>();
    private final List<Promotion> promotions = new ArrayList<>();

    /**
     * All values at a time.
     *
     * @param revision the revision at which the state began
     * @param change the number of the last change by Baton
     * @param values the values, without Baton's own records
     * @param canary the current canary
     */
    record State(long revision, long change, SortedMap<String, Written> values, Optional<SimCanary> canary) {

        /** Whether followers that have bound the values may apply them. */
        boolean good() {
            return inOrder(number(LEAST), number(MOST)) && liked(number(LEAST));
        }

        /** The state for instances that try its canary. */
        State tried() {
            return new State(revision, change, canary.orElseThrow().over(values), canary);
        }

        /** Whether its canary chose this instance. */
        boolean chose(String instance) {
            return canary.filter(its -> its.chose(instance)).isPresent();
        }

        SortedMap<String, String> texts() {
            SortedMap<String, String> texts = new TreeMap<>();
            values.forEach((key, value) -> texts.put(key, value.value()));
            return texts;
        }

        /** Whether these texts are in it; an empty text stands for an absent key. */
        boolean has(Map<String, String> texts) {
            SortedMap<String, String> there = texts();
            return texts.entrySet().stream()
                    .allMatch(each -> there.getOrDefault(each.getKey(), "").equals(each.getValue()));
        }

        int number(String key) {
            Written written = values.get(key);
            return written == null ? key.equals(MOST) ? 10 : 0 : Integer.parseInt(written.value());
        }
    }

    /** The promotion of a canary to a change for all. */
    record Promotion(SimCanary canary, State before, State after) {}

    /** Creates an empty space. */
    SimSpace() {
        states.put(Long.MIN_VALUE, new State(Long.MIN_VALUE, 0, new TreeMap<>(), Optional.empty()));
    }

    /** Adds the records as of this revision, by name; ignored if they are unchanged. */
    void committed(long revision, Map<String, Written> records) {
        long change = change(records.get(HEAD));
        SortedMap<String, Written> values = new TreeMap<>(records);
        values.keySet().removeIf(name -> name.startsWith("$"));
        Optional<SimCanary> canary =
                Optional.ofNullable(records.get(CANARY)).map(record -> SimCanary.of(record.value()));
        State last = last();
        if (last.change() != change
                || !last.values().equals(values)
                || !last.canary().equals(canary)) {
            if (change != last.change() && change != last.change() + 1) {
                throw new AssertionError("change " + change + " comes after " + last.change());
            }
            State next = new State(revision, change, Collections.unmodifiableSortedMap(values), canary);
            states.put(revision, next);
            int number = next.number(NUMBER);
            if (number != last.number(NUMBER) && numbers.put(number, revision) != null) {
                throw new AssertionError("number " + number + " is written twice: " + next);
            }
            canaries(last, next);
        }
    }

    private void canaries(State last, State next) {
        next.canary().ifPresent(canary -> {
            tried.putIfAbsent(next.tried().number(NUMBER), next.revision());
            everChosen.addAll(canary.chosen().values());
        });
        boolean over = !id(last).isEmpty() && !id(last).equals(id(next));
        if (over && next.change() > last.change()) {
            promotions.add(new Promotion(last.canary().orElseThrow(), last, next));
        }
    }

    private static String id(State state) {
        return state.canary().map(SimCanary::id).orElse("");
    }

    /** Whether a canary ever chose this instance. */
    boolean everChose(String instance) {
        return everChosen.contains(instance);
    }

    /** Whether this canary was promoted. */
    boolean promotes(String canary) {
        return promotions.stream().anyMatch(each -> each.canary().id().equals(canary));
    }

    /** The promotions, in order. */
    List<Promotion> promotions() {
        return promotions;
    }

    private static long change(@Nullable Written head) {
        Matcher matcher = CHANGE.matcher(head == null ? "" : head.value());
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** The state at this revision. */
    State at(long revision) {
        return states.floorEntry(revision).getValue();
    }

    State last() {
        return states.lastEntry().getValue();
    }

    /** The revision at which this number was first present, or tried. */
    long since(int number) {
        Long there = numbers.get(number);
        return there == null ? Objects.requireNonNull(tried.get(number)) : there;
    }

    /** Whether this number was ever present. */
    boolean had(int number) {
        return numbers.containsKey(number);
    }

    /** The number of states. */
    long count() {
        return states.size() - 1L;
    }

    static boolean inOrder(int least, int most) {
        return least <= most;
    }

    static boolean liked(int number) {
        return number % VETOED_ONCE_IN != 5;
    }
}
