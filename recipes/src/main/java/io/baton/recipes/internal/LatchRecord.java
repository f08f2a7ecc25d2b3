package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Item;
import io.baton.recipe.TextLines;
import io.baton.recipes.LatchState;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The record of a latch.
 *
 * @param round the number of the round, from 1
 * @param before the last round before this one that was released; 0 if none was
 * @param count how many have to count down; 0 if the latch is not open in this round
 * @param opened the operation that opened it in this round; empty if none has
 * @param counted the ids that have counted down in this round, each with the operation by which it did
 */
record LatchRecord(long round, long before, int count, String opened, Map<String, String> counted) {

    private static final LatchRecord NONE = new LatchRecord(1, 0, 0, "", Map.of());

    private static final String ROUND = "round";
    private static final String RELEASED = "released";
    private static final String COUNT = "count";
    private static final String OPENED = "opened";
    private static final String COUNTED = "counted ";

    static LatchRecord of(Optional<Item> item) {
        return item.map(LatchRecord::decode).orElse(NONE);
    }

    private static LatchRecord decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        Map<String, String> counted = new LinkedHashMap<>();
        lines.forEach((line, operation) -> {
            if (line.startsWith(COUNTED)) {
                counted.put(line.substring(COUNTED.length()), operation);
            }
        });
        try {
            return new LatchRecord(
                    round(lines.getOrDefault(ROUND, "")),
                    Long.parseLong(lines.getOrDefault(RELEASED, "0")),
                    Integer.parseInt(lines.getOrDefault(COUNT, "0")),
                    lines.getOrDefault(OPENED, ""),
                    counted);
        } catch (NumberFormatException foreign) {
            throw new CoordinationException(
                    item.key() + " should have the line 'round=N' of a latch, and has other text", foreign);
        }
    }

    private static long round(String text) {
        long round = Long.parseLong(text);
        if (round < 1) {
            throw new NumberFormatException("there is no round " + round);
        }
        return round;
    }

    byte[] encode() {
        TextLines lines = new TextLines().add(ROUND, Long.toString(round)).add(RELEASED, Long.toString(before));
        if (isOpen()) {
            lines.add(COUNT, Integer.toString(count)).add(OPENED, opened);
        }
        counted.forEach((id, operation) -> lines.add(COUNTED + id, operation));
        return lines.bytes();
    }

    boolean isOpen() {
        return count > 0;
    }

    boolean isReleased() {
        return state().isReleased();
    }

    /** Returns the last round that was released, this one included; 0 if none was. */
    long released() {
        return isReleased() ? round : before;
    }

    LatchState state() {
        return new LatchState(round, count, List.copyOf(counted.keySet()));
    }

    LatchRecord open(int newCount, String operation) {
        return new LatchRecord(round, before, newCount, operation, counted);
    }

    LatchRecord countDown(String id, String operation) {
        Map<String, String> then = new LinkedHashMap<>(counted);
        then.put(id, operation);
        return new LatchRecord(round, before, count, opened, Collections.unmodifiableMap(then));
    }

    LatchRecord next() {
        return new LatchRecord(round + 1, released(), 0, "", Map.of());
    }
}
