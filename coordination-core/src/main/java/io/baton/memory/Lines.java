package io.baton.memory;

import io.baton.spi.Claim;
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

/** The lines of a store. A change that makes entries clear also notifies their contenders. Under the store's lock. */
final class Lines {

    /** By {@link #key}, then by the entry's name, in the order of joining. */
    private final Map<String, Map<String, MemoryEntry>> lines = new HashMap<>();

    private final Consumer<String> changed;

    /** Starts with empty lines; {@code changed} receives the path of each line whose entries have changed. */
    Lines(Consumer<String> changed) {
        this.changed = changed;
    }

    /** Returns the key of a line, whatever its dialect: its path, unless another line's could be the same. */
    static String key(Line line) {
        return line.exact() && !line.path().startsWith("/") ? "//" + line.path() : line.path();
    }

    /** Adds an entry at the end; its contender is notified whether it is clear or waits. */
    void add(MemoryEntry joining) {
        String key = key(joining.peer().line());
        boolean free = isFree(key, joining.claim());
        lines.computeIfAbsent(key, first -> new LinkedHashMap<>())
                .put(joining.peer().name(), joining);
        joining.lease().entries.add(joining);
        if (free) {
            joining.clear();
        } else {
            joining.lease().deliver("waits", joining.place()::waiting);
        }
        changed.accept(key);
    }

    /** Whether a contender with this claim, at the end of the line, conflicts with none ahead. */
    boolean isFree(String path, Claim claim) {
        var line = lines.get(path);
        return line == null || line.values().stream().noneMatch(ahead -> claim.conflictsWith(ahead.claim()));
    }

    /**
     * Removes all of these entries that still stand, and only then notifies those that are clear now. An entry that is
     * removed in the same step is never notified.
     */
    void remove(Collection<MemoryEntry> leaving) {
        Set<String> touched = new LinkedHashSet<>();
        for (MemoryEntry contender : List.copyOf(leaving)) {
            if (find(contender.peer()) == contender) {
                String path = key(contender.peer().line());
                touched.add(path);
                contender.lease().entries.remove(contender);
                lines.computeIfPresent(path, (same, line) -> without(line, contender));
            }
        }
        touched.forEach(this::settle);
    }

    /** Makes the claim of this entry shared. */
    void downgrade(MemoryEntry contender) {
        contender.downgrade();
        settle(key(contender.peer().line()));
    }

    private void settle(String path) {
        var ahead = new ArrayList<MemoryEntry>();
        for (MemoryEntry contender : lines.getOrDefault(path, Map.of()).values()) {
            if (!contender.isClear()) {
                Claim claim = contender.claim();
                if (ahead.stream().anyMatch(other -> claim.conflictsWith(other.claim()))) {
                    if (claim.equals(Claim.EXCLUSIVE)) {
                        break; // and so does everyone behind it
                    }
                } else {
                    contender.clear();
                }
            }
            ahead.add(contender);
        }
        changed.accept(path);
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
}
