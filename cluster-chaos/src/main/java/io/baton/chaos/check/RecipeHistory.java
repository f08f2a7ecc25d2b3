package io.baton.chaos.check;

import io.baton.chaos.history.Event;
import io.baton.chaos.history.EventKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the clients did with recipes beside the locks. */
public final class RecipeHistory {

    private final Map<String, Addition> additions = new LinkedHashMap<>();
    private final List<Told> numbers = new ArrayList<>();
    private final Map<String, Long> newestUses = new HashMap<>();
    private final Map<EventKind, List<Event>> others = new EnumMap<>(EventKind.class);
    private @Nullable Sum sum;

    RecipeHistory() {}

    void add(Event event) {
        switch (event.what()) {
            case ADDING, ADDED, NOT_ADDED, NUMBERED -> used(event);
            case SUMMED -> sum = new Sum(event.number("value"), event.nanos());
            default ->
                others.computeIfAbsent(event.what(), any -> new ArrayList<>()).add(event);
        }
    }

    private void used(Event event) {
        long before =
                Optional.ofNullable(newestUses.put(event.who(), event.nanos())).orElse(Long.MIN_VALUE);
        switch (event.what()) {
            case ADDED -> addition(event).applied(before, event.nanos());
            case NOT_ADDED -> addition(event).refused();
            case NUMBERED -> numbers.add(new Told(event, before));
            default -> {
                Addition unused = addition(event);
            }
        }
    }

    private Addition addition(Event event) {
        return additions.computeIfAbsent(event.text("addition"), any -> new Addition());
    }

    /** What was added to the counter to which all add. */
    Collection<Addition> additions() {
        return additions.values();
    }

    /** How many additions were applied. */
    public long added() {
        return additions.values().stream().filter(Addition::isApplied).count();
    }

    /** What that counter was in the end; empty if nobody has looked. */
    Optional<Sum> sum() {
        return Optional.ofNullable(sum);
    }

    /** The numbers of the sequence that clients took; those of one client in their order. */
    List<Told> numbers() {
        return List.copyOf(numbers);
    }

    /** How many numbers of the sequence clients took. */
    public long numbered() {
        return numbers.size();
    }

    /** Events of this kind; those of one client in their order. */
    List<Event> events(EventKind kind) {
        return List.copyOf(others.getOrDefault(kind, List.of()));
    }

    /** How many rounds of the barrier, and entries and exits of the double one, passed, as a party was told. */
    public long passed() {
        return verdicts(true);
    }

    /** How many were broken. */
    public long broken() {
        return verdicts(false);
    }

    private long verdicts(boolean passed) {
        return events(EventKind.TOLD_VERDICT).stream()
                .filter(event -> event.text("passed").equals(Boolean.toString(passed)))
                .map(event -> event.text("at") + event.text("number"))
                .distinct()
                .count();
    }

    /** How many latches let somebody go. */
    public long latches() {
        return distinct(EventKind.LET_GO, "latch");
    }

    /** How many questions were answered. */
    public long answered() {
        return distinct(EventKind.ANSWERED, "question");
    }

    /** How often somebody has read who is in the group. */
    public long views() {
        return events(EventKind.SAW_MEMBERS).size();
    }

    private long distinct(EventKind kind, String key) {
        return events(kind).stream().map(event -> event.text(key)).distinct().count();
    }
}
