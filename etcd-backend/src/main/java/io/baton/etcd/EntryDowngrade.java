package io.baton.etcd;

import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.PlaceLife;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The downgrade of one exclusive entry to a shared claim, also on another lease. On the loop. */
final class EntryDowngrade {

    /** A downgrade for which a server is too busy waits as a request does that was attempted so often. */
    private static final int BUSY_ATTEMPTS = 4;

    private final EtcdSession session;
    private final LinePlace place;
    private final PlaceLife life;
    private byte[] payload;
    private @Nullable CompletableFuture<Void> begun;

    EntryDowngrade(EtcdSession session, LinePlace place, PlaceLife life, byte[] payload) {
        this.session = session;
        this.place = place;
        this.life = life;
        this.payload = payload;
    }

    /** The value to write into the entry. It has the mark of a downgraded one once this has begun. */
    byte[] payload() {
        return payload;
    }

    boolean hasBegun() {
        return begun != null;
    }

    /** Begins, unless it has begun. The place is clear. The result completes once the store has it. */
    CompletionStage<Void> begin() {
        CompletableFuture<Void> known = begun;
        if (known == null) {
            known = new CompletableFuture<>();
            begun = known;
            payload = Downgrades.mark(payload); // also for a move to another lease
            send();
        }
        return known;
    }

    /** The entry was rewritten with another lease. That write may have undone the downgrade's. */
    void rewritten() {
        if (begun != null) {
            send();
        }
    }

    /** The entry was left or lost. */
    void stop() {
        if (begun != null) {
            begun.completeExceptionally(Downgrades.ended(place.line()));
        }
    }

    private void send() {
        var ifs = List.<Compare>of(new Compare.Created(place.key(), place.token()));
        var then = List.<Request>of(new Put(place.key(), payload, Put.SAME_LEASE));
        session.window()
                .request(
                        place.prefix(),
                        Priority.HIGH,
                        life::stands,
                        turn -> turn.txn(new Txn(ifs, then, List.of()), this::answered))
                .send();
    }

    private void answered(Fault fault, @Nullable Result result) {
        CompletableFuture<Void> done = begun;
        if (done == null || !life.stands()) {
            return;
        }
        if (result != null && result.met()) {
            place.answered();
            done.complete(null);
        } else if (result != null) {
            place.missing();
        } else if (fault.code() == EtcdWire.Code.LOST) {
            place.onReconnect(this::send);
        } else if (fault.code() == EtcdWire.Code.OVERLOADED) {
            place.tooBusy(fault);
            session.retryLater(BUSY_ATTEMPTS, this::send);
        } else {
            place.answered();
            done.completeExceptionally(Errors.of("cannot downgrade the hold of " + place.line(), fault));
        }
    }
}
