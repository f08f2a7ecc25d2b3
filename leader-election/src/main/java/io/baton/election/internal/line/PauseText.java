package io.baton.election.internal.line;

import io.baton.Item;
import io.baton.election.Pause;
import io.baton.recipe.TextLines;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The text of a pause: lines of {@code key=value}. Any record there pauses the election, even one that cannot be
 * parsed.
 */
public final class PauseText {

    private static final int MAX_SHOWN = 200;

    private PauseText() {}

    static byte[] encode(Pause pause) {
        var lines = new TextLines()
                .add("by", pause.by())
                .add("since", String.valueOf(pause.since().toEpochMilli()))
                .add("why", pause.why());
        pause.leader().ifPresent(id -> lines.add("leader", id));
        return lines.bytes();
    }

    public static Pause decode(Item item) {
        Map<String, String> lines = TextLines.decode(item.value());
        boolean known = lines.containsKey("by");
        return new Pause(
                lines.getOrDefault("by", "another program"),
                Instant.ofEpochMilli(TextLines.number(lines.getOrDefault("since", "0"))),
                known ? lines.getOrDefault("why", "") : TextLines.shown(item.value(), MAX_SHOWN),
                Optional.ofNullable(lines.get("leader")));
    }
}
