package io.baton.chaos.history;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Follows the histories while they are written: when each lock was granted last, and to whom. */
public final class GrantWatch {

    private static final String GRANTED = " " + EventKind.GRANTED.text() + " ";

    private final HistoryFolder folder;
    private final Map<Path, Tail> tails = new HashMap<>();
    private final Map<String, Event> newest = new HashMap<>();

    /** Follows these. */
    public GrantWatch(HistoryFolder folder) {
        this.folder = folder;
    }

    /** When each lock was seen granted last, by now; what was never granted is missing. */
    public Map<String, Long> newest() {
        read();
        Map<String, Long> times = new HashMap<>();
        newest.forEach((lock, grant) -> times.put(lock, seen(grant)));
        return times;
    }

    /** The processes that were granted each lock last, and may hold it. */
    public Set<String> holders() {
        read();
        return newest.values().stream().map(Event::process).collect(Collectors.toSet());
    }

    private void read() {
        for (Path file : folder.files()) {
            tails.computeIfAbsent(file, Tail::new).read(this::line);
        }
    }

    private void line(String line) {
        if (line.contains(GRANTED)) {
            Event event = Event.parse(line);
            newest.merge(event.text("lock"), event, (one, other) -> seen(one) > seen(other) ? one : other);
        }
    }

    private static long seen(Event grant) {
        return grant.number("seen");
    }
}
