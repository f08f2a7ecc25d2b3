package io.baton.memory;

import io.baton.Revision;

/** The store-wide number of the write; never given twice. */
record MemoryRevision(long number) implements Revision {}
