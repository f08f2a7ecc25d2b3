package io.baton.etcd;

import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Sender;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.support.PlaceLife;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The removal of a place's entry: by a request of its own, which also reads the line for the next place of this session,
 * or by a join of this session that is sent at once. Afterwards the key is free for another entry, unless a request in
 * flight may still remove what stands under it. On the loop.
 */
final class EntryRemoval implements PendingRemovals.Leaver {

    private enum State {
        NONE,
        /** About to be sent. */
        DUE,
        /** Sent, alone or with a join. */
        SENT
    }

    /** A removal for which a server is too busy waits as one does that was attempted so often. */
    private static final int BUSY_ATTEMPTS = 20;

    private final EtcdSession session;
    private final LinePlace place;
    private final PlaceLife life;
    private final RequestWindow.Request request;

    private State state = State.NONE;
    /** Joins in flight that remove this entry, too. */
    private int joinsUnderWay;

    private boolean keySpent;
    private boolean keyInDoubt;
    /** Whether it is asked for alone, without reads for the next place. */
    private boolean alone;
    /** The reads for the next place of this session, made behind this entry's removal. */
    private @Nullable LineRead readBehind;

    EntryRemoval(EtcdSession session, LinePlace place, PlaceLife life) {
        this.session = session;
        this.place = place;
        this.life = life;
        this.request = session.window()
                .request(place.prefix(), Priority.HIGH, () -> !place.closed() && state == State.DUE, this::send);
    }

    @Override
    public String key() {
        return place.key();
    }

    /** Begins, unless it has begun or there is no entry. */
    void begin() {
        if (life.entered() && state == State.NONE) {
            state = State.DUE;
            session.pendingRemovals().add(place.prefix(), this);
            if (session.ownEntries().next(place).isPresent()) {
                request.send();
            } else {
                // Delayed, so that a join requested at once can carry the removal.
                session.loop().execute(request::send);
            }
        }
    }

    /** What was read for the next place of this session with the removal; null if nothing was. */
    @Nullable
    LineRead readBehind() {
        return readBehind;
    }

    /** The place has closed. Its key is spent if there was an entry. */
    void closed(boolean entered) {
        session.pendingRemovals().remove(place.prefix(), this);
        keySpent = entered;
        releaseKey();
    }

    @Override
    public boolean joinSending() {
        joinsUnderWay++;
        boolean relies = state == State.DUE;
        if (relies) {
            state = State.SENT;
        }
        return relies;
    }

    @Override
    public void joinDone(PendingRemovals.Piggyback how, boolean relied) {
        joinsUnderWay--;
        if (how == PendingRemovals.Piggyback.UNKNOWN) {
            keyInDoubt = true;
        }
        if (place.closed()) {
            releaseKey();
        } else if (how == PendingRemovals.Piggyback.REMOVED) {
            life.removed();
        } else if (relied) {
            state = State.NONE;
            place.remove();
        }
    }

    /** The next own place's reads follow the removal in the same transaction. */
    private void send(Sender turn) {
        state = State.SENT;
        LinePlace next = alone ? null : session.ownEntries().next(place).orElse(null);
        long stream = next == null ? Following.NONE : next.entriesAhead().stream();
        var then = new ArrayList<Request>();
        then.add(new Delete(place.key()));
        if (next != null) {
            then.addAll(next.entriesAhead().lineReads(stream));
        }
        turn.txn(
                new Txn(List.of(new Compare.Created(place.key(), place.token())), then, List.of()), (fault, result) -> {
                    state = State.NONE;
                    if (result != null) {
                        readBehind = next != null && result.met() ? LineRead.behindRemoval(next, result, stream) : null;
                        life.removed();
                    } else if (fault.code() == EtcdWire.Code.OVERLOADED) {
                        life.removalFailed("etcd says " + fault.message());
                        session.retryLater(BUSY_ATTEMPTS, place::remove);
                    } else if (fault.code() != EtcdWire.Code.LOST) {
                        if (next == null) {
                            life.removalRefused(
                                    "etcd says " + fault.message(),
                                    () -> Errors.of("cannot remove " + place.key(), fault));
                        } else {
                            alone = true; // removal may be permitted even if reads of the line are not
                            place.remove();
                        }
                    } else {
                        place.onReconnect(place::remove);
                    }
                });
    }

    private void releaseKey() {
        if (keySpent && joinsUnderWay == 0 && !keyInDoubt) {
            keySpent = false;
            session.entryKeys().release(place.keysBegin(), place.key());
        }
    }
}
