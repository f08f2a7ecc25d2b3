package io.baton.etcd.wire;

import io.baton.spi.support.RunAll;
import io.baton.spi.support.SendStamp;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A wire that stamps each request, so that its answer counts as evidence. It drops answers after the session's end. The
 * owner interprets a missing answer: one to a heartbeat differs from one to a read queued in a server.
 */
public final class TimedWire implements EtcdWire {

    /** Receives the evidence. */
    public interface Witness {
        /** Returns the stamp for a request about to be sent. */
        SendStamp stamp();

        /** Returns the member and term that must answer a renewal sent now for it to count; null if there is none. */
        @Nullable
        Object before();

        /** A lease was renewed. */
        void renewed(long lease, SendStamp sent, @Nullable Object before, Header header);

        /** A renewal has found no such lease. */
        void missing(long lease, SendStamp sent, @Nullable Object before, Header header);

        /** A linearizable read, or a commit, was answered. */
        void confirmed(SendStamp sent, RewindDetector.Mark known, Header header);

        /** A member has sent its header with a watch's response. */
        void onHeader(Header header);

        /** The server has set a watch. */
        void watchCreated();

        /** A watch has ended without a reason of the server's. */
        void watchLost(SendStamp requested, String why);

        /** Returns what is known of the store when a request is sent. */
        RewindDetector.Mark mark();

        /** Whether answers still matter. */
        boolean isOpen();
    }

    /** Receives each request that got no answer. */
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

    /** Not dropped after the session's end, as it completes the end. */
    @Override
    public void revoke(long lease, Reply<Header> reply) {
        wire.revoke(lease, reply);
    }

    @Override
    public void txn(Txn txn, Reply<Result> reply) {
        SendStamp sent = witness.stamp();
        RewindDetector.Mark known = witness.mark();
        wire.txn(txn, (fault, result) -> {
            // The request is answered even if a callback of the proof throws.
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
        SendStamp requested = witness.stamp();
        return wire.watch(range, from, new Watcher() {
            @Override
            public void created(Header header) {
                witness.onHeader(header);
                witness.watchCreated();
                to.created(header);
            }

            @Override
            public void events(List<Event> events, Header header) {
                witness.onHeader(header);
                to.events(events, header);
            }

            @Override
            public void ended(Fault why) {
                if (why.code() == Code.LOST) {
                    witness.watchLost(requested, why.message());
                }
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
