package io.baton.memory;

import io.baton.Revision;

/** The store-wide number of a transaction; never used twice. */
record MemoryRevision(long number) implements Revision {

    @Override
    public long order() {
        return number;
    }
}
