package io.baton.chaos.history;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Follows the histories while they are written: when each lock was granted last. */
public final class GrantWatch {

    private static final String GRANTED = " " + What.GRANTED.text() + " ";

    private final HistoryFolder folder;
    private final Map<Path, Tail> tails = new HashMap<>();
    private final Map<String, Long> newest = new HashMap<>();

    /** Follows these. */
    public GrantWatch(HistoryFolder folder) {
        this.folder = folder;
    }

    /** When each lock was seen granted last, by now; what was never granted is missing. */
    public Map<String, Long> newest() {
        for (Path file : folder.files()) {
            tails.computeIfAbsent(file, Tail::new).read(this::line);
        }
        return Map.copyOf(newest);
    }

    private void line(String line) {
        if (line.contains(GRANTED)) {
            Event event = Event.parse(line);
            newest.merge(event.text("lock"), event.number("seen"), Math::max);
        }
    }
}
