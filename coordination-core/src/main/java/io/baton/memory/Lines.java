package io.baton.memory;

import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Departure;
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

/** The lines of a store. A change that makes entries clear also notifies their sessions. Under the store's lock. */
final class Lines {

    /** By {@link #key}, then by the entry's name, in the order of joining. */
    private final Map<String, Map<String, MemoryEntry>> lines = new HashMap<>();

    private record Head(Entry entry, long version) {}

    private final Map<String, Head> heads = new HashMap<>();
    private final Map<String, Long> versions = new HashMap<>();
    private final Consumer<String> changed;
    private long version;
    private long emptied;

    /** Starts with empty lines; {@code changed} receives the path of each line whose entries have changed. */
    Lines(Consumer<String> changed) {
        this.changed = changed;
    }

    /** Returns the key of a line, whatever its dialect: its path, unless another line's could be the same. */
    static String key(Line line) {
        return line.exact() && !line.path().startsWith("/") ? "//" + line.path() : line.path();
    }

    /** Adds an entry at the end. */
    void add(MemoryEntry joining) {
        String key = key(joining.peer().line());
        boolean free = isFree(key, joining.claim());
        lines.computeIfAbsent(key, first -> new LinkedHashMap<>())
                .put(joining.peer().name(), joining);
        joining.lease().entries.add(joining);
        if (free) {
            joining.clear();
        }
        changed(key);
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
                    Peer peer = contender.peer();
                    Lease lease = contender.lease();
                    lease.notify("clear", () -> lease.events().cleared(peer.name(), contender.token()));
                }
            }
            ahead.add(contender);
        }
        changed(path);
    }

    private void changed(String path) {
        version++;
        MemoryEntry first = first(path);
        if (first == null) {
            heads.remove(path);
            versions.remove(path);
            emptied = version;
        } else {
            versions.put(path, version);
            Head head = heads.get(path);
            if (head == null || !head.entry().equals(first.entry())) {
                heads.put(path, new Head(first.entry(), version));
            }
        }
        changed.accept(path);
    }

    /** Returns a number that changes with each entry of a line, and if it is empty with each line that becomes so. */
    long version(String path) {
        return versions.getOrDefault(path, emptied);
    }

    /** As {@link #version}, of the line's first entry. */
    long headVersion(String path) {
        Head head = heads.get(path);
        return head == null ? emptied : head.version();
    }

    /** Returns this very entry; null if it is gone. */
    @Nullable
    MemoryEntry find(Peer peer) {
        var line = lines.get(key(peer.line()));
        MemoryEntry contender = line == null ? null : line.get(peer.name());
        return contender != null && contender.peer().equals(peer) ? contender : null;
    }

    /** Returns the entry that this departure means; null if it is gone. */
    @Nullable
    MemoryEntry find(Departure departure) {
        return lines.getOrDefault(key(departure.line()), Map.of()).get(departure.name());
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
