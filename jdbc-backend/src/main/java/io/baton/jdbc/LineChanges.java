package io.baton.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a step does in the lines whose entries it changes. */
final class LineChanges {

    /** The order in which lines are locked. */
    static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

    private final SessionDatabase database;
    private final Sql sql;

    LineChanges(SessionDatabase database) {
        this.database = database;
        sql = database.sql();
    }

    /** Locks the lines of these entries. Returns how many statements that takes. */
    static int lock(Flight flight, List<Leaving> entries) {
        Set<byte[]> paths = new TreeSet<>(ORDER);
        entries.forEach(entry -> paths.add(entry.path()));
        paths.forEach(path -> flight.add(Sql.TOUCH_LINE, path));
        return paths.size();
    }

    /** Notifies those that have become clear as these entries have gone, and those that follow their lines. */
    void changed(Flight flight, List<Leaving> gone) {
        Map<byte[], List<Leaving>> lines = new TreeMap<>(ORDER);
        gone.forEach(entry ->
                lines.computeIfAbsent(entry.path(), path -> new ArrayList<>()).add(entry));
        lines.forEach((path, entries) -> {
            long from = entries.stream().mapToLong(Leaving::token).min().orElseThrow();
            boolean exclusive = entries.stream().anyMatch(Leaving::exclusive);
            if (database.pushes()) {
                flight.add(sql.clearedPushes, path, from, path, path, exclusive);
            }
            pushTo(flight, path, Optional.of(from));
        });
    }

    /** Notifies those that follow a line to whose end an entry has come. */
    void joined(Flight flight, byte[] path) {
        pushTo(flight, path, Optional.empty());
    }

    /** Notifies followers of a line; of its head only if it may have changed: from this token on, or by the last join. */
    private void pushTo(Flight flight, byte[] path, Optional<Long> from) {
        if (database.pushes()) {
            String last = "(select seq from baton_line where path = ?)";
            flight.add(sql.entriesPushes, path, path, path, Sql.followed('e', path));
            if (from.isPresent()) {
                flight.add(sql.headPushes + "?", path, path, path, Sql.followed('h', path), path, path, from.get());
            } else {
                flight.add(sql.headPushes + last, path, path, path, Sql.followed('h', path), path, path, path);
            }
        }
    }
}
