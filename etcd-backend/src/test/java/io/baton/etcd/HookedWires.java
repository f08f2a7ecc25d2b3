package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Reply;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.etcd.wire.EtcdWire.Watch;
import io.baton.etcd.wire.EtcdWire.Watcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Live wires on whose watches a test lays its hand. */
final class HookedWires {

    /** Runs on the loop before a watch is asked for. */
    volatile Consumer<Range> beforeWatch = range -> {};

    /** Runs on the loop when a watch is there, before that is told. */
    volatile Runnable whenCreated = () -> {};

    /** Whether events are kept for {@link #letGo}. */
    volatile boolean holding;

    // On the loop.
    private final List<Runnable> held = new ArrayList<>();

    EtcdWire.Factory over(EtcdWire.Factory wires) {
        return (patience, events) -> new Hooked(wires.open(patience, events));
    }

    /** Tells the events that were kept. On the loop. */
    void letGo() {
        holding = false;
        List<Runnable> due = List.copyOf(held);
        held.clear();
        due.forEach(Runnable::run);
    }

    /** How many batches of events are kept. On the loop. */
    int kept() {
        return held.size();
    }

    private final class Hooked implements EtcdWire {

        private final EtcdWire wire;

        Hooked(EtcdWire wire) {
            this.wire = wire;
        }

        @Override
        public void grant(Duration ttl, Reply<Lease> reply) {
            wire.grant(ttl, reply);
        }

        @Override
        public void keepAlive(long lease, Reply<Lease> reply) {
            wire.keepAlive(lease, reply);
        }

        @Override
        public void revoke(long lease, Reply<Header> reply) {
            wire.revoke(lease, reply);
        }

        @Override
        public void txn(Txn txn, Reply<Result> reply) {
            wire.txn(txn, reply);
        }

        @Override
        public Watch watch(Range range, long from, Watcher to) {
            if (range.key().contains("/.sessions/")) {
                return wire.watch(range, from, to);
            }
            Consumer<Range> before = beforeWatch;
            beforeWatch = none -> {};
            before.accept(range);
            return wire.watch(range, from, new HookedWatcher(to));
        }

        @Override
        public void reconnect(String why) {
            wire.reconnect(why);
        }

        @Override
        public void close() {
            wire.close();
        }
    }

    private final class HookedWatcher implements Watcher {

        private final Watcher to;

        HookedWatcher(Watcher to) {
            this.to = to;
        }

        @Override
        public void created(Header header) {
            whenCreated.run();
            to.created(header);
        }

        @Override
        public void events(List<Event> events, Header header) {
            if (holding) {
                held.add(() -> to.events(events, header));
            } else {
                to.events(events, header);
            }
        }

        @Override
        public void ended(Fault why) {
            to.ended(why);
        }
    }
}
