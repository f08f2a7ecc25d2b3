package io.baton.chaos;

import io.baton.chaos.check.Violation;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.HistoryFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The lines of the histories around a violation: what was done to servers and clients before, and those of its lock that
 * are next to it.
 */
final class ViolationContext {

    private static final long NEAR = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long FAULTS_BEFORE = TimeUnit.SECONDS.toNanos(15);
    private static final int MOST = 50;

    private final HistoryFolder folder;
    private final long began;

    /** Around violations of a run that began then. */
    ViolationContext(HistoryFolder folder, long began) {
        this.folder = folder;
        this.began = began;
    }

    /** In order, with times in seconds from the beginning of the run. */
    List<String> of(Violation violation) {
        List<Event> faults = new ArrayList<>();
        List<Event> near = new ArrayList<>();
        folder.read(event -> {
            if (event.has("kind") || event.has("process") || event.has("round")) {
                if (distance(event, violation) < (event.nanos() < violation.from() ? FAULTS_BEFORE : NEAR)) {
                    faults.add(event);
                }
            } else if (distance(event, violation) < NEAR && concerns(event, violation)) {
                near.add(event);
            }
        });
        near.sort(Comparator.comparingLong(event -> distance(event, violation)));
        faults.addAll(near.subList(0, Math.min(MOST, near.size())));
        faults.sort(Comparator.comparingLong(Event::nanos));
        return faults.stream().map(this::line).toList();
    }

    private static long distance(Event event, Violation violation) {
        return Math.max(0, Math.max(violation.from() - event.nanos(), event.nanos() - violation.to()));
    }

    private static boolean concerns(Event event, Violation violation) {
        return !event.has("lock")
                || violation.lock().isEmpty()
                || event.text("lock").equals(violation.lock());
    }

    private String line(Event event) {
        String line = event.line();
        return String.format(Locale.ROOT, "%10.4f%s", (event.nanos() - began) / 1e9, line.substring(line.indexOf(' ')));
    }
}
