package io.baton.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.LongAdder;

/** The section that the lock protects. Its counters are plain, so two workers inside at once make them wrong. */
final class Section {

    private static final int NO_WORKER = -1;

    private static final int PASSED = 0;
    private static final int CHANGES = PASSED + Long.BYTES;
    private static final int LAST = CHANGES + Long.BYTES;
    private static final int BYTES = LAST + Long.BYTES;

    private final ByteBuffer counters;
    private final LongAdder shared = new LongAdder();

    private Section(ByteBuffer counters) {
        this.counters = counters;
    }

    /** For workers in this process. */
    static Section here() {
        var section = new Section(ByteBuffer.allocate(BYTES));
        section.clear();
        return section;
    }

    /** For workers in several processes, which share this file's memory; one of them has to {@link #clear} it. */
    static Section in(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Section(channel.map(MapMode.READ_WRITE, 0, BYTES));
        }
    }

    /** Forgets all passes, for another round. Only while no worker is inside. */
    void clear() {
        counters.putLong(PASSED, 0).putLong(CHANGES, 0).putLong(LAST, NO_WORKER);
    }

    /** Counts a pass of this worker. Only while holding the lock. */
    void pass(int worker) {
        counters.putLong(PASSED, counters.getLong(PASSED) + 1);
        if (worker != counters.getLong(LAST)) {
            counters.putLong(CHANGES, changes() + 1).putLong(LAST, worker);
        }
    }

    /** Counts a pass of a worker that shares the lock. */
    void passShared() {
        shared.increment();
    }

    /** How often the lock went to another worker than the one before. */
    long changes() {
        return counters.getLong(CHANGES);
    }

    /** Fails unless everybody has passed, one at a time. */
    void expect(long passes) {
        long counted = counters.getLong(PASSED) + shared.sum();
        if (counted != passes) {
            throw new IllegalStateException("the lock did not exclude: " + passes + " passes, counted " + counted);
        }
    }
}
