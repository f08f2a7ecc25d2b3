package io.baton.etcd;

import io.baton.etcd.SimStore.Command;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Another program that stands in the line now and then, with a key of its own shape, which is always the same: it comes
 * back under the key that it had before, as Go's and jetcd's locks do.
 */
final class SimForeigner {

    private static final long MILLI = 1_000_000;

    private final SimEtcd etcd;
    private final String key;
    private final SplittableRandom chance;
    private boolean stopping;

    SimForeigner(SimEtcd etcd, String key) {
        this.etcd = etcd;
        this.key = key;
        this.chance = etcd.sim.chance();
    }

    void start() {
        after(5_000, this::join);
    }

    void stop() {
        stopping = true;
    }

    private void join() {
        if (!stopping && etcd.ready()) {
            etcd.counts.add("entries of other programs");
            etcd.byHand(new Command.Apply(
                    new Txn(List.of(new Compare.Created(key, 0)), List.of(new Put(key, new byte[0], 0)), List.of())));
            after(chance.nextInt(3) == 0 ? 1_500 : 100, this::leave);
        } else if (!stopping) {
            after(200, this::join);
        }
    }

    private void leave() {
        if (!etcd.ready()) {
            after(200, this::leave);
            return;
        }
        etcd.byHand(new Command.Apply(new Txn(List.of(), List.of(new Delete(key)), List.of())));
        if (chance.nextBoolean() && !stopping) {
            etcd.counts.add("other programs back under the same key");
            join();
        } else {
            after(3_000, this::join);
        }
    }

    private void after(long most, Runnable then) {
        etcd.sim.after(Duration.ofNanos(chance.nextLong(most * MILLI)), then);
    }
}
