package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.support.RepeatedRefusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Settles unanswered requests. Requests overtake each other, so an unanswered one may be applied at any later time, and
 * a read without its effect proves nothing. So each request compares the epoch: the revision at which the session last
 * wrote its own key. A new write of that key raises the epoch. All requests sent before then fail, and a read is final.
 */
final class Epoch {

    /**
     * An unanswered request.
     *
     * @param wanted whether its outcome is still unknown
     * @param settled called once no request sent before can be applied any more
     * @param refused called each time that the server refuses to raise the epoch
     */
    private record Doubt(BooleanSupplier wanted, Runnable settled, Runnable refused) {}

    private final EtcdSession session;
    private final RepeatedRefusal refused;
    private List<Doubt> waiting = new ArrayList<>();
    private boolean raising;
    private long revision;

    Epoch(EtcdSession session) {
        this.session = session;
        this.refused = session.repeatedRefusal(() -> "Cannot see whether requests without an answer were applied: "
                + session.ownKey() + " cannot be written");
    }

    /** Returns the condition that each join and each transaction carries. */
    Compare.Written compare() {
        return new Compare.Written(session.ownKey(), revision);
    }

    /** Handles a linearizable read, or a write, of the session's key. */
    void seen(long written) {
        if (written > revision) {
            revision = written;
            refused.resolved();
            List<Doubt> settled = waiting;
            waiting = new ArrayList<>();
            settled.forEach(doubt -> doubt.settled().run());
        }
    }

    /** Runs the task once no request sent before can be applied any more. */
    void settle(Runnable then) {
        settle(() -> true, then, () -> {});
    }

    /**
     * As {@link #settle(Runnable)}, while that is wanted. A read that shows the effect of a request needs no new epoch:
     * {@code refused} can make one while the epoch cannot be raised, for example while the store has no space.
     */
    void settle(BooleanSupplier wanted, Runnable then, Runnable refused) {
        waiting.add(new Doubt(wanted, then, refused));
        if (session.inContact()) {
            raise();
        }
    }

    /** In contact again. */
    void connected() {
        raising = false;
        raise();
    }

    private void raise() {
        if (raising || !isWanted()) {
            return;
        }
        raising = true;
        var put = new Put(session.ownKey(), session.ownValue(), session.lease());
        var txn = new Txn(List.of(compare()), List.of(put), List.of(Range.presence(session.ownKey())));
        session.wire().txn(txn, (fault, result) -> {
            raising = false;
            if (result == null) {
                failed(fault);
                return;
            }
            Optional<Kv> own =
                    result.met() ? Optional.empty() : result.parts().get(0).first();
            if (result.met()) {
                seen(result.header().revision());
            } else if (own.isPresent()) {
                // An earlier unanswered attempt of this session, or a later one.
                seen(own.get().written());
            } else {
                session.ownKeyMissing();
            }
            if (!waiting.isEmpty()) {
                raiseOnReconnect();
            }
        });
    }

    private void failed(EtcdWire.Fault fault) {
        if (fault.code() != EtcdWire.Code.LOST) {
            refused.refused("etcd says " + fault.message() + "; it goes on trying");
            List.copyOf(waiting).forEach(doubt -> doubt.refused().run());
        }
        if (fault.code() == EtcdWire.Code.NO_LEASE) {
            // The session has ended, unless it is being moved and lives on with its former lease.
            session.verify();
        }
        raiseOnReconnect();
    }

    private void raiseOnReconnect() {
        session.onReconnect(() -> !waiting.isEmpty(), this::raise);
    }

    private boolean isWanted() {
        waiting.removeIf(doubt -> !doubt.wanted().getAsBoolean());
        if (waiting.isEmpty()) {
            refused.resolved();
        }
        return !waiting.isEmpty();
    }
}
