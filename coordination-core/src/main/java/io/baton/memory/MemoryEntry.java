package io.baton.memory;

import io.baton.spi.Entry;
import io.baton.spi.Peer;

/** An entry in a line, with the lease and the place to notify. Equal to itself only. */
final class MemoryEntry {

    private final Entry entry;
    private final Lease lease;
    private final MemoryPlace place;

    MemoryEntry(Entry entry, Lease lease, MemoryPlace place) {
        this.entry = entry;
        this.lease = lease;
        this.place = place;
    }

    Entry entry() {
        return entry;
    }

    Peer peer() {
        return entry.peer();
    }

    Lease lease() {
        return lease;
    }

    MemoryPlace place() {
        return place;
    }
}
