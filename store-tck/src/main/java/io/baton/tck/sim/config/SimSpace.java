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

/** What a simulated store has had in a space, one state after the other. */
final class SimSpace {

    /** The tree of records that the values are in. */
    static final String TREE = "config";

    /** By which every written value of the run, but those of single keys, is told from all others. */
    static final String NUMBER = "number";

    static final String LEAST = "limits.least";
    static final String MOST = "limits.most";

    /** Baton's own record of a space. */
    static final String HEAD = "$baton";

    /** That of a canary. */
    static final String CANARY = "$canary";

    private static final Pattern CHANGE = Pattern.compile("\"change\":(\\d+)");

    /** So many numbers after each other have one that is vetoed. */
    private static final int VETOED_ONCE_IN = 11;

    private final TreeMap<Long, State> states = new TreeMap<>();
    private final Map<Integer, Long> numbers = new HashMap<>(Map.of(0, Long.MIN_VALUE));
    private final Map<Integer, Long> tried = new HashMap<>();
    private final Set<String> everChosen = new HashSet<>();
    private final List<Promotion> promotions = new ArrayList<>();

    /**
     * All values together.
     *
     * @param revision since when
     * @param change the number of the last change by Baton
     * @param values what Baton keeps for itself left out
     * @param canary the one under way
     */
    record State(long revision, long change, SortedMap<String, Written> values, Optional<SimCanary> canary) {

        /** What is not good is not to be applied by those who have bound it. */
        boolean good() {
            return inOrder(number(LEAST), number(MOST)) && liked(number(LEAST));
        }

        /** As those have it who try its canary. */
        State tried() {
            return new State(revision, change, canary.orElseThrow().over(values), canary);
        }

        /** Whether it has a canary that chose this instance. */
        boolean chose(String instance) {
            return canary.filter(its -> its.chose(instance)).isPresent();
        }

        SortedMap<String, String> texts() {
            SortedMap<String, String> texts = new TreeMap<>();
            values.forEach((key, value) -> texts.put(key, value.value()));
            return texts;
        }

        /** Whether these texts are in it; an empty one: nothing is there. */
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

    /** A canary became a change for all. */
    record Promotion(SimCanary canary, State before, State after) {}

    /** It is empty, and has been for ever. */
    SimSpace() {
        states.put(Long.MIN_VALUE, new State(Long.MIN_VALUE, 0, new TreeMap<>(), Optional.empty()));
    }

    /** At this revision the records were these; nothing is noted if they were before. By name. */
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

    /** Whether this instance was ever chosen to try a canary. */
    boolean everChose(String instance) {
        return everChosen.contains(instance);
    }

    /** Whether this canary became a change for all. */
    boolean promotes(String canary) {
        return promotions.stream().anyMatch(each -> each.canary().id().equals(canary));
    }

    /** The canaries that became changes for all, in their order. */
    List<Promotion> promotions() {
        return promotions;
    }

    private static long change(@Nullable Written head) {
        Matcher matcher = CHANGE.matcher(head == null ? "" : head.value());
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** As it was at this revision. */
    State at(long revision) {
        return states.floorEntry(revision).getValue();
    }

    State last() {
        return states.lastEntry().getValue();
    }

    /** The revision at which this number was there, or was tried, for the first time. */
    long since(int number) {
        Long there = numbers.get(number);
        return there == null ? Objects.requireNonNull(tried.get(number)) : there;
    }

    /** Whether this number was ever there. */
    boolean had(int number) {
        return numbers.containsKey(number);
    }

    /** How many there have been. */
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
