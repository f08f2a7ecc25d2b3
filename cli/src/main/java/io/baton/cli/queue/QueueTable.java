package io.baton.cli.queue;

import io.baton.LockDelays;
import io.baton.PendingRelease;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.cli.ContenderFormat;
import io.baton.cli.DurationOption;
import io.baton.cli.Grid;
import io.baton.cli.Text;
import io.baton.spi.Claim;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Formats a queue as a table, aligned for any names of foreign clients. */
final class QueueTable {

    /** What a table shows of an entry's claim. */
    private enum ClaimColumn {
        NONE(""),
        CLAIM("CLAIM"),
        PERMITS("PERMITS");

        private final String head;

        ClaimColumn(String head) {
            this.head = head;
        }

        String cell(Claim claim) {
            return switch (this) {
                case NONE -> "";
                case CLAIM -> ContenderFormat.claim(claim);
                // The queue does not say how many permits its contenders want.
                case PERMITS -> claim.permits() == 0 ? "-" : Integer.toString(claim.permits());
            };
        }
    }

    private static final int AFTER_STATE = 2;
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

    /** The contenders for a lock, of which one holds it, with its options, and the request to release that it has. */
    List<String> lock(
            String name, List<QueueEntry> queue, Optional<LockDelays> delays, Optional<PendingRelease> asked) {
        List<String> lines = lines(name, queue, ClaimColumn.NONE);
        asked.map(this::request).ifPresent(request -> lines.add(1, request));
        delays.map(QueueTable::options).ifPresent(options -> lines.add(1, options));
        return lines;
    }

    private static String options(LockDelays delays) {
        var options = new ArrayList<String>();
        if (!delays.holdAtLeast().isZero()) {
            options.add("--hold-at-least " + DurationOption.format(delays.holdAtLeast()));
        }
        if (!delays.delayAfterLoss().isZero()) {
            options.add("--delay-after-loss " + DurationOption.format(delays.delayAfterLoss()));
        }
        if (!delays.rest().isZero()) {
            options.add("it stays blocked for another " + DurationOption.left(delays.rest()));
        }
        return String.join(", ", options);
    }

    private String request(PendingRelease asked) {
        return Text.line(asked.by() + " asks for its release, since " + since(asked.at()) + ": " + asked.reason());
    }

    /** The contenders for a read/write lock, with their claims, and the request to release that it has. */
    List<String> readWriteLock(String name, List<QueueEntry> queue, Optional<PendingRelease> asked) {
        List<String> lines = lines(name, queue, ClaimColumn.CLAIM);
        asked.map(this::request).ifPresent(request -> lines.add(1, request));
        return lines;
    }

    /** The contenders for permits of a semaphore, with their permits. */
    List<String> semaphore(String name, SemaphoreView view) {
        if (view.size() == 0) {
            return List.of(title(name) + "no size yet, as nobody has asked for permits");
        }
        var lines = new ArrayList<>(List.of(title(name) + view.out() + " of " + view.size() + " permits are out, "
                + holding(view.holders().size()) + ", " + waiting(view.waiting().size())));
        var all = new ArrayList<>(view.holders());
        all.addAll(view.waiting());
        if (!all.isEmpty()) {
            lines.add("");
            lines.addAll(table(all, ClaimColumn.PERMITS));
        }
        return lines;
    }

    private List<String> lines(String name, List<QueueEntry> queue, ClaimColumn claims) {
        if (queue.isEmpty()) {
            return new ArrayList<>(List.of(title(name) + "nobody holds it, nobody waits"));
        }
        int holders = (int) queue.stream().filter(QueueEntry::holder).count();
        var lines = new ArrayList<String>();
        lines.add(title(name) + holding(holders) + ", " + waiting(queue.size() - holders));
        lines.add("");
        lines.addAll(table(queue, claims));
        return lines;
    }

    private static String title(String name) {
        return "'" + Text.line(name) + "': ";
    }

    private static String holding(int count) {
        return count == 0 ? "nobody holds it" : count == 1 ? "one holds it" : count + " hold it";
    }

    private static String waiting(int count) {
        return count == 0 ? "nobody waits" : count == 1 ? "1 waits" : count + " wait";
    }

    private List<String> table(List<QueueEntry> entries, ClaimColumn claims) {
        var rows = new ArrayList<List<String>>();
        rows.add(row(claims, claims.head, "", "STATE", "TOKEN", "CLIENT", "HOST", "PID", "SINCE"));
        for (QueueEntry entry : entries) {
            rows.add(row(
                    claims,
                    claims.cell(entry.claim()),
                    Integer.toString(rows.size()),
                    entry.holder() ? "holds" : "waits",
                    Long.toString(entry.token()),
                    entry.client().isBlank() ? ContenderFormat.FOREIGN : cell(entry.client()),
                    cell(entry.host()),
                    entry.pid() == 0 ? "-" : Long.toString(entry.pid()),
                    entry.since().map(this::since).orElse("-")));
        }
        return Grid.lines(rows);
    }

    private static List<String> row(ClaimColumn claims, String claim, String... others) {
        var cells = new ArrayList<>(List.of(others));
        if (claims != ClaimColumn.NONE) {
            cells.add(AFTER_STATE, claim);
        }
        return cells;
    }

    private String since(Instant at) {
        ZonedDateTime local = at.atZone(zone);
        boolean today = local.toLocalDate().equals(LocalDate.ofInstant(now, zone));
        return DurationOption.rounded(Duration.between(at, now)) + " (" + (today ? TIME : DAY).format(local) + ")";
    }

    private static String cell(String text) {
        return Grid.cell(text, WIDEST);
    }
}
