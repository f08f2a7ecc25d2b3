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

/**
 * Settles what got no answer. Requests overtake each other, so one without an answer may be applied at any later time,
 * and that a read does not show it means nothing. So each of them compares the epoch: the revision at which the session
 * last wrote its own key. Writing the key anew raises the epoch, and whatever was sent before fails from then on; what a
 * read shows now is final.
 */
final class Epoch {

    private final EtcdSession session;
    private final RepeatedRefusal refused;
    private List<Runnable> waiting = new ArrayList<>();
    private boolean raising;
    private long revision;

    Epoch(EtcdSession session) {
        this.session = session;
        this.refused = session.repeatedRefusal(() -> "Cannot see whether requests without an answer were applied: "
                + session.ownKey() + " cannot be written");
    }

    /** The condition that each join and each transaction carries. */
    Compare.Written compare() {
        return new Compare.Written(session.ownKey(), revision);
    }

    /** The session's key as a linearizable read, or the write of it, has shown it. */
    void seen(long written) {
        if (written > revision) {
            revision = written;
            refused.resolved();
            List<Runnable> settled = waiting;
            waiting = new ArrayList<>();
            settled.forEach(Runnable::run);
        }
    }

    /** Runs the task once nothing that was sent until now can be applied any more. */
    void settle(Runnable then) {
        waiting.add(then);
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
        if (raising || waiting.isEmpty()) {
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
                // An earlier attempt of ours that got no answer, or a later one.
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
        }
        if (fault.code() == EtcdWire.Code.NO_LEASE) {
            // The session is over, unless it is moving, and lives on with the lease it had.
            session.verify();
        }
        raiseOnReconnect();
    }

    private void raiseOnReconnect() {
        session.onReconnect(() -> !waiting.isEmpty(), this::raise);
    }
}
