package io.baton.cli.demo;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The number of tickets left, as a worker reads and writes it. */
final class StockRecord {

    /** The attempts at a write that the store does not answer. */
    private static final int ATTEMPTS = 50;

    private final Coordinator baton;
    private final Records records;
    private final String record;

    StockRecord(Coordinator baton, DemoRun demoRun) {
        this.baton = baton;
        this.records = baton.records(DemoRun.TREE);
        this.record = demoRun.stock();
    }

    long left() throws InterruptedException {
        return records.get(record).map(Item::text).map(Long::parseLong).orElse(0L);
    }

    /** Writes without a condition. */
    void set(long left) throws InterruptedException {
        insist(() -> {
            records.put(record, bytes(left));
            return true;
        });
    }

    /** Writes if the guard holds; returns whether it did. */
    boolean set(long left, Guard guard) throws InterruptedException {
        return insist(() -> baton.transact(List.of(guard), List.of(Op.put(records.key(record), bytes(left)))));
    }

    /** A write, and whether it was applied. */
    private interface Write {
        boolean attempt() throws InterruptedException;
    }

    /**
     * Repeats a write that the store does not answer, as just after waking or on a busy machine. Repeating a put of the
     * same value is harmless.
     */
    private static boolean insist(Write write) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return write.attempt();
            } catch (CoordinationException unanswered) {
                if (attempt == ATTEMPTS) {
                    throw unanswered;
                }
                Thread.sleep(100);
            }
        }
    }

    private static byte[] bytes(long left) {
        return Long.toString(left).getBytes(StandardCharsets.UTF_8);
    }
}
