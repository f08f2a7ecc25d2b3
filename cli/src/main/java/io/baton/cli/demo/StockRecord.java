package io.baton.cli.demo;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.Records;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** How many tickets are left, as a worker reads and writes it. */
final class StockRecord {

    /** How often a write is repeated that got no answer from the store. */
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

    /** Whatever anybody else has written meanwhile. */
    void set(long left) throws InterruptedException {
        records.put(record, bytes(left));
    }

    /** If the store finds that the guard holds. */
    boolean set(long left, Guard guard) throws InterruptedException {
        return baton.transact(List.of(guard), List.of(Op.put(records.key(record), bytes(left))));
    }

    /** As {@link #set}; repeats what the store has not answered, as just after waking: a repeated put of one value is harmless. */
    boolean insist(long left, Guard guard) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return set(left, guard);
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
