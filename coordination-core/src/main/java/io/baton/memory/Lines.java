package io.baton.memory;

import io.baton.spi.Line;
import io.baton.spi.Peer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of a store. The removal that makes an entry first also notifies its contender. Under the store's lock. */
final class Lines {

    /** By {@link #key}, then by the entry's name, in the order of joining. */
    private final Map<String, Map<String, MemoryEntry>> lines = new HashMap<>();

    private final Consumer<String> firstChanged;

    /** Starts with empty lines; {@code firstChanged} receives the path of each line whose first entry has changed. */
    Lines(Consumer<String> firstChanged) {
        this.firstChanged = firstChanged;
    }

    /** Returns the key of a line, whatever its dialect: its path, unless another line's could be the same. */
    static String key(Line line) {
        return line.exact() && !line.path().startsWith("/") ? "//" + line.path() : line.path();
    }

    /** Adds an entry at the end; its contender is notified whether it is first or waits. */
    void add(MemoryEntry joining) {
        String key = key(joining.peer().line());
        var line = lines.computeIfAbsent(key, first -> new LinkedHashMap<>());
        line.put(joining.peer().name(), joining);
        joining.lease().entries.add(joining);
        if (line.size() == 1) {
            clear(joining);
            firstChanged.accept(key);
        } else {
            joining.lease().deliver("waits", joining.place()::waiting);
        }
    }

    /**
     * Removes all of these entries that still stand, and only then notifies those that are first now. An entry that is
     * removed in the same step is never notified.
     */
    void remove(Collection<MemoryEntry> leaving) {
        Set<String> lostTheirFirst = new LinkedHashSet<>();
        for (MemoryEntry contender : List.copyOf(leaving)) {
            if (find(contender.peer()) == contender) {
                String path = key(contender.peer().line());
                if (first(path) == contender) {
                    lostTheirFirst.add(path);
                }
                contender.lease().entries.remove(contender);
                lines.computeIfPresent(path, (same, line) -> without(line, contender));
            }
        }
        for (String path : lostTheirFirst) {
            MemoryEntry next = first(path);
            if (next != null) {
                clear(next);
            }
            firstChanged.accept(path);
        }
    }

    /** Returns this very entry; null if it is gone. */
    @Nullable
    MemoryEntry find(Peer peer) {
        var line = lines.get(key(peer.line()));
        MemoryEntry contender = line == null ? null : line.get(peer.name());
        return contender != null && contender.peer().equals(peer) ? contender : null;
    }

    /** Returns the contenders in a line, in order. */
    List<Peer> peers(String path) {
        var line = lines.get(path);
        if (line == null) {
            return List.of();
        }
        List<Peer> peers = new ArrayList<>(line.size());
        line.values().forEach(contender -> peers.add(contender.peer()));
        return peers;
    }

    private static @Nullable Map<String, MemoryEntry> without(Map<String, MemoryEntry> line, MemoryEntry contender) {
        line.remove(contender.peer().name());
        return line.isEmpty() ? null : line;
    }

    /** Returns the first entry; null if the line is empty. */
    @Nullable
    MemoryEntry first(String path) {
        var line = lines.get(path);
        return line == null ? null : line.values().iterator().next();
    }

    private static void clear(MemoryEntry contender) {
        contender.lease().deliver("clear", () -> contender.place().clear(contender.entry()));
    }
}
