package io.baton.etcd.wire;

import io.baton.spi.support.RunAll;
import io.baton.spi.support.SendStamp;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wire that stamps every request, so that every answer counts as evidence; what comes after the end is dropped. What a
 * request without an answer means is up to the owner: of a heartbeat it means another thing than of a read that stood in
 * a server's queue.
 */
public final class TimedWire implements EtcdWire {

    /** What is made of the answers. */
    public interface Witness {
        /** The stamp for a request about to be sent. */
        SendStamp stamp();

        /** Who would have to answer a renewal sent now for it to count. */
        @Nullable
        Object before();

        /** A lease was renewed. */
        void renewed(long lease, SendStamp sent, @Nullable Object before, Header header);

        /** A lease was to be renewed, and is not there. */
        void missing(long lease, SendStamp sent, @Nullable Object before, Header header);

        /** A linearizable read, or a commit, was answered. */
        void confirmed(SendStamp sent, RewindDetector.Mark known, Header header);

        /** A member that watches has said how far it is. */
        void onHeader(Header header);

        /** What is known of the store when a request is sent. */
        RewindDetector.Mark mark();

        /** Whether answers still matter. */
        boolean isOpen();
    }

    /** Told of each request that got no answer. */
    public interface Unanswered {
        void accept(SendStamp sent, String why);
    }

    private final EtcdWire wire;
    private final Witness witness;
    private final Unanswered unanswered;

    public TimedWire(EtcdWire wire, Witness witness, Unanswered unanswered) {
        this.wire = wire;
        this.witness = witness;
        this.unanswered = unanswered;
    }

    @Override
    public void grant(Duration ttl, Reply<Lease> reply) {
        SendStamp sent = witness.stamp();
        wire.grant(ttl, (fault, lease) -> answered(sent, fault, lease, reply));
    }

    @Override
    public void keepAlive(long lease, Reply<Lease> reply) {
        SendStamp sent = witness.stamp();
        Object before = witness.before();
        wire.keepAlive(lease, (fault, renewed) -> {
            if (renewed != null && witness.isOpen()) {
                if (renewed.ttl().isZero()) {
                    witness.missing(lease, sent, before, renewed.header());
                } else {
                    witness.renewed(lease, sent, before, renewed.header());
                }
            }
            answered(sent, fault, renewed, reply);
        });
    }

    /** Not dropped: it is the end. */
    @Override
    public void revoke(long lease, Reply<Header> reply) {
        wire.revoke(lease, reply);
    }

    @Override
    public void txn(Txn txn, Reply<Result> reply) {
        SendStamp sent = witness.stamp();
        RewindDetector.Mark known = witness.mark();
        wire.txn(txn, (fault, result) -> {
            // Whatever the proof makes others do wrong, the request is answered.
            RunAll.all(
                    () -> {
                        if (result != null && witness.isOpen()) {
                            witness.confirmed(sent, known, result.header());
                        }
                    },
                    () -> answered(sent, fault, result, reply));
        });
    }

    @Override
    public Watch watch(Range range, long from, Watcher to) {
        return wire.watch(range, from, new Watcher() {
            @Override
            public void created(Header header) {
                witness.onHeader(header);
                to.created(header);
            }

            @Override
            public void events(List<Event> events, Header header) {
                witness.onHeader(header);
                to.events(events, header);
            }

            @Override
            public void ended(Fault why) {
                to.ended(why);
            }
        });
    }

    @Override
    public void reconnect(String why) {
        wire.reconnect(why);
    }

    @Override
    public void close() {
        wire.close();
    }

    private <T> void answered(SendStamp sent, Fault fault, @Nullable T value, Reply<T> reply) {
        if (witness.isOpen()) {
            if (fault.code() == Code.LOST) {
                unanswered.accept(sent, fault.message());
            }
            reply.accept(fault, value);
        }
    }
}
