package io.baton.cli.queue;

import io.baton.QueueEntry;
import io.baton.cli.Grid;
import io.baton.cli.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/** Formats a queue as a table, aligned for any names of foreign clients. */
final class QueueTable {

    private static final List<String> HEAD = List.of("", "STATE", "TOKEN", "CLIENT", "HOST", "PID", "SINCE");
    /** Replaces the name of a foreign client; all of Baton's have one. */
    private static final String FOREIGN = "(foreign)";

    private static final int WIDEST = 50;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    private final Instant now;
    private final ZoneId zone;

    /** Ages are relative to {@code now}, and times are in this zone. */
    QueueTable(Instant now, ZoneId zone) {
        this.now = now;
        this.zone = zone;
    }

    List<String> lines(String name, List<QueueEntry> queue) {
        String title = "'" + Text.line(name) + "': ";
        if (queue.isEmpty()) {
            return List.of(title + "nobody holds it, nobody waits");
        }
        var rows = new ArrayList<>(List.of(HEAD));
        for (QueueEntry entry : queue) {
            rows.add(row(rows.size(), entry));
        }
        var lines = new ArrayList<>(List.of(title + "one holds it, " + waiting(queue.size() - 1), ""));
        lines.addAll(Grid.lines(rows));
        return lines;
    }

    private static String waiting(int count) {
        return count == 0 ? "nobody waits" : count == 1 ? "1 waits" : count + " wait";
    }

    private List<String> row(int position, QueueEntry entry) {
        return List.of(
                Integer.toString(position),
                entry.holder() ? "holds" : "waits",
                Long.toString(entry.token()),
                entry.client().isBlank() ? FOREIGN : cell(entry.client()),
                cell(entry.host()),
                entry.pid() == 0 ? "-" : Long.toString(entry.pid()),
                entry.since().map(this::since).orElse("-"));
    }

    private String since(Instant at) {
        ZonedDateTime local = at.atZone(zone);
        boolean today = local.toLocalDate().equals(LocalDate.ofInstant(now, zone));
        return age(Duration.between(at, now)) + " (" + (today ? TIME : DAY).format(local) + ")";
    }

    /** The two largest units. A clock that is ahead makes no negative age. */
    private static String age(Duration age) {
        long seconds = Math.max(0, age.toSeconds());
        if (seconds < 60) {
            return seconds + "s";
        } else if (seconds < 3_600) {
            return seconds / 60 + "m" + two(seconds % 60) + "s";
        } else if (seconds < 86_400) {
            return seconds / 3_600 + "h" + two(seconds / 60 % 60) + "m";
        }
        return seconds / 86_400 + "d" + two(seconds / 3_600 % 24) + "h";
    }

    private static String two(long number) {
        return (number < 10 ? "0" : "") + number;
    }

    private static String cell(String text) {
        return Grid.cell(text, WIDEST);
    }
}
