package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.recipe.TextLines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The record of a counter.
 *
 * @param value the number
 * @param writers the number of each writer's last batch, the writer that wrote last at the end
 * @param forgotten how many writers have been dropped from it
 * @param counted the latest operations that are counted once, the last one at the end
 */
record CounterState(long value, Map<String, Long> writers, long forgotten, List<String> counted) {

    static final CounterState NONE = new CounterState(0, Map.of(), 0, List.of());

    private static final int MOST_WRITERS = 256;
    private static final String VALUE = "value";
    private static final String WRITERS = "writers";
    private static final String FORGOTTEN = "forgotten";
    private static final String COUNTED = "counted";

    static CounterState of(Optional<Item> item) {
        return item.map(CounterState::decode).orElse(NONE);
    }

    private static CounterState decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        try {
            Map<String, Long> writers = new LinkedHashMap<>();
            for (String each : list(lines.get(WRITERS))) {
                String[] parts = each.split(":", 2);
                writers.put(parts[0], Long.parseLong(parts[1]));
            }
            return new CounterState(
                    Long.parseLong(lines.getOrDefault(VALUE, "")),
                    writers,
                    Long.parseLong(lines.getOrDefault(FORGOTTEN, "0")),
                    list(lines.get(COUNTED)));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException foreign) {
            throw new CoordinationException(
                    item.key() + " should have the line 'value=N' of a counter, and has other text", foreign);
        }
    }

    private static List<String> list(@Nullable String line) {
        return line == null || line.isEmpty() ? List.of() : Arrays.asList(line.split(","));
    }

    byte[] encode() {
        TextLines lines = new TextLines().add(VALUE, Long.toString(value));
        List<String> each = new ArrayList<>();
        writers.forEach((writer, batch) -> each.add(writer + ":" + batch));
        lines.add(WRITERS, String.join(",", each));
        if (forgotten > 0) {
            lines.add(FORGOTTEN, Long.toString(forgotten));
        }
        if (!counted.isEmpty()) {
            lines.add(COUNTED, String.join(",", counted));
        }
        return lines.bytes();
    }

    /** Returns the state after this batch. */
    CounterState after(String writer, long batch, long newValue, List<String> newlyCounted, int mostCounted) {
        Map<String, Long> then = new LinkedHashMap<>(writers);
        then.remove(writer);
        then.put(writer, batch);
        long dropped = forgotten;
        while (then.size() > MOST_WRITERS) {
            then.remove(then.keySet().iterator().next());
            dropped++;
        }
        List<String> all = new ArrayList<>(counted);
        all.addAll(newlyCounted);
        return new CounterState(
                newValue, then, dropped, all.subList(Math.max(0, all.size() - mostCounted), all.size()));
    }
}
