package io.baton.etcd;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.tck.sim.lock.LockInvariants;
import io.baton.tck.sim.lock.LockRun;
import io.baton.testkit.sim.SimLoop;
import io.baton.testkit.sim.SimProcess;
import java.util.List;
import java.util.Map;

/** Follows the record that the lock's holders write: no write is left out between snapshots, and none is told twice. */
final class SimReader implements RecordsListener {

    private final SimEtcd etcd;
    private final SimProcess process;
    private final SimLoop thread;
    private final LockInvariants invariants;
    private final String record;
    private boolean begun;
    private long told;

    /** {@code record} is the record's key. */
    SimReader(SimEtcd etcd, SimProcess process, SimLoop thread, LockInvariants invariants, String record) {
        this.etcd = etcd;
        this.process = process;
        this.thread = thread;
        this.invariants = invariants;
        this.record = record;
    }

    @Override
    public void snapshot(Map<String, Item> all, Position at) {
        invariants.guard(() -> {
            Item item = all.get(LockRun.RECORD.name());
            long revision = item == null ? 0 : written(item);
            check(revision >= told, "a snapshot of " + revision + " after " + told);
            etcd.counts.add(begun ? "snapshots after a gap" : "first snapshots");
            begun = true;
            told = revision;
        });
    }

    @Override
    public void changed(List<Item> put, List<String> gone, long revision) {
        invariants.guard(() -> put.forEach(item -> {
            long written = written(item);
            long missed = writes(told + 1, written - 1);
            check(begun && written > told && missed == 0, "told of " + written + " after " + told);
            etcd.counts.add("changes told");
            told = written;
        }));
    }

    /** There was time to hear of everything. */
    void checkEnd() {
        if (!process.dead() && begun) {
            long missed = writes(told + 1, etcd.decided().revision());
            check(missed == 0, missed + " writes were not told");
        }
    }

    private long writes(long from, long to) {
        return from > to
                ? 0
                : etcd.history(from, to).stream()
                        .filter(events ->
                                events.stream().anyMatch(event -> event.key().equals(record)))
                        .count();
    }

    private void check(boolean claim, String otherwise) {
        if (!claim) {
            thread.note("reader: " + otherwise);
            throw new AssertionError(process.name() + "'s reader: " + otherwise);
        }
    }

    private static long written(Item item) {
        return ((EtcdRevision) item.revision()).written();
    }
}
