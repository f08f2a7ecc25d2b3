package io.baton.memory;

import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.support.Downgrades;

/** An entry in a line, with its lease. Equal to itself only. Under the store's lock. */
final class MemoryEntry {

    private final Lease lease;
    private Entry entry;
    private Claim claim;
    private boolean clear;

    MemoryEntry(Entry entry, Lease lease) {
        this.entry = entry;
        this.claim = entry.peer().claim();
        this.lease = lease;
    }

    Entry entry() {
        return entry;
    }

    long token() {
        return entry.token();
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

    /** Whether no entry that conflicts stands ahead. */
    boolean isClear() {
        return clear;
    }

    void clear() {
        clear = true;
    }

    /** Returns what its session is told of it. */
    Standing standing() {
        return new Standing(peer().line(), peer().name(), entry.token(), clear, !claim.equals(peer().claim()));
    }

    void downgrade() {
        claim = Claim.SHARED;
        entry = new Entry(entry.peer(), entry.token(), Downgrades.mark(entry.payload()), entry.session());
    }
}
