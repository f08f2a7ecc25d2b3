package io.baton.memory;

import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import io.baton.spi.support.Downgrades;

/** An entry in a line, with the lease and the place to notify. Equal to itself only. Under the store's lock. */
final class MemoryEntry {

    private final Lease lease;
    private final MemoryPlace place;
    private Entry entry;
    private Claim claim;
    private boolean clear;

    MemoryEntry(Entry entry, Lease lease, MemoryPlace place) {
        this.entry = entry;
        this.claim = entry.peer().claim();
        this.lease = lease;
        this.place = place;
    }

    Entry entry() {
        return entry;
    }

    Peer peer() {
        return entry.peer();
    }

    /** What it claims now. */
    Claim claim() {
        return claim;
    }

    Lease lease() {
        return lease;
    }

    MemoryPlace place() {
        return place;
    }

    /** Whether its contender has been notified that it is clear. */
    boolean isClear() {
        return clear;
    }

    /** No entry that conflicts stands ahead. */
    void clear() {
        clear = true;
        Entry mine = entry;
        lease.deliver("clear", () -> place.clear(mine));
    }

    void downgrade() {
        claim = Claim.SHARED;
        entry = new Entry(entry.peer(), entry.token(), Downgrades.mark(entry.payload()), entry.session());
    }
}
