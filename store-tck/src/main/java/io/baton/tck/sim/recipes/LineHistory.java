package io.baton.tck.sim.recipes;

import io.baton.spi.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** When the entries of one line were made, came first, and went, as the server knows it. */
final class LineHistory {

    private static final long NEVER = Long.MAX_VALUE;

    private final RecipeServer server;
    private final String path;
    private final Map<Long, Stay> stays = new HashMap<>();
    private List<Stay> present = List.of();
    private long lastEmptyAt;

    /** An entry, and its time in the line. */
    static final class Stay {

        final Entry entry;
        private long firstAt = NEVER;
        private long goneAt = NEVER;

        private Stay(Entry entry) {
            this.entry = entry;
        }

        long token() {
            return entry.token();
        }

        /** When it came first; later than any time if it did not yet. */
        long firstAt() {
            return firstAt;
        }

        /** When it went; later than any time if it did not yet. */
        long goneAt() {
            return goneAt;
        }

        boolean isGone() {
            return goneAt != NEVER;
        }
    }

    LineHistory(RecipeServer server, String path) {
        this.server = server;
        this.path = path;
    }

    /** Looks at the line after a step. Returns what has gone in it. */
    List<Stay> look() {
        List<Stay> now = new ArrayList<>();
        server.line(path).forEach(entry -> now.add(stays.computeIfAbsent(entry.token(), unknown -> new Stay(entry))));
        List<Stay> gone = present.stream().filter(stay -> !now.contains(stay)).toList();
        gone.forEach(stay -> stay.goneAt = server.sim.now());
        if (present.isEmpty()) {
            lastEmptyAt = server.sim.now();
        }
        if (!now.isEmpty()) {
            Stay first = now.get(0);
            first.firstAt = Math.min(first.firstAt, server.sim.now());
        }
        present = now;
        return gone;
    }

    /** The entry with this token; null if there never was one. */
    @Nullable
    Stay of(long token) {
        return stays.get(token);
    }

    /** The entry that is first now. */
    Optional<Stay> first() {
        return present.stream().findFirst();
    }

    /** Whether the line was empty at some time since then. */
    boolean wasEmptySince(long time) {
        return present.isEmpty() || lastEmptyAt >= time;
    }

    /** Whether an entry has gone since then. */
    boolean hasLostSomeSince(long time) {
        return stays.values().stream().anyMatch(stay -> stay.isGone() && stay.goneAt >= time);
    }
}
