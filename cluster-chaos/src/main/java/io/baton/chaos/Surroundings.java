package io.baton.chaos;

import io.baton.chaos.check.Violation;
import io.baton.chaos.history.Event;
import io.baton.chaos.history.HistoryFolder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The lines of the histories around a violation: those of its lock, and what was done to servers and clients. */
final class Surroundings {

    private static final long BEFORE = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long FAULTS_BEFORE = TimeUnit.SECONDS.toNanos(15);
    private static final long AFTER = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MOST = 60;

    private final HistoryFolder folder;
    private final long began;

    Surroundings(HistoryFolder folder, long began) {
        this.folder = folder;
        this.began = began;
    }

    /** In order, with times in seconds from the beginning of the run. */
    List<String> of(Violation violation) {
        List<Event> near = new ArrayList<>();
        folder.read(event -> {
            if (concerns(event, violation)) {
                near.add(event);
            }
        });
        near.sort(Comparator.comparingLong(Event::nanos));
        List<String> lines = near.stream().map(this::line).toList();
        if (lines.size() <= MOST) {
            return lines;
        }
        List<String> shortened = new ArrayList<>(lines.subList(0, MOST / 2));
        shortened.add("... " + (lines.size() - MOST) + " lines ...");
        shortened.addAll(lines.subList(lines.size() - MOST / 2, lines.size()));
        return shortened;
    }

    private static boolean concerns(Event event, Violation violation) {
        if (event.nanos() > violation.to() + AFTER) {
            return false;
        }
        if (event.has("kind") || event.has("process") || event.has("round")) {
            return event.nanos() > violation.from() - FAULTS_BEFORE;
        }
        boolean sameLock = !event.has("lock")
                || violation.lock().isEmpty()
                || event.text("lock").equals(violation.lock());
        return sameLock && event.nanos() > violation.from() - BEFORE;
    }

    private String line(Event event) {
        String line = event.line();
        return String.format(Locale.ROOT, "%10.4f%s", (event.nanos() - began) / 1e9, line.substring(line.indexOf(' ')));
    }
}
