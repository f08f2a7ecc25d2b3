package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.support.RepeatedRefusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves a session to a lease of its own time whenever the cluster has another leader. A leader that was stopped and goes on
 * may end the leases it knew, however lately the present one has renewed them; it does not know those made since.
 *
 * <p>The session's own key and its entries are written anew with the new lease, in batches, each of which compares the epoch
 * and the revisions that created the entries; these do not change, nor do tokens and places in line. What a server refuses to
 * write together is written in halves, and what it refuses alone is tried again with later beats. Until nothing hangs on
 * the former lease any more, both are renewed, and a proof takes both. Then the former one is revoked. Should it end before,
 * as by the leader that was stopped, what hangs on it is given up, and all else goes on.
 */
final class LeaseMigration {

    private static final Logger log = LoggerFactory.getLogger(LeaseMigration.class);

    /** No lease. */
    static final long NONE = 0;

    /** So many entries are written in one transaction, which may have 128 operations. */
    private static final int BATCH = 50;

    /** So many that were refused are tried again with one beat. */
    private static final int AGAIN = 16;

    private final EtcdSession session;
    private final Evidence evidence;
    private final Collection<LinePlace> places;
    private final RepeatedRefusal refusals;
    private volatile long lease = NONE;
    private long former = NONE;
    private long ownLease = NONE;
    // The last term known to have begun before the lease was asked for.
    private long madeIn;
    private long formerMadeIn;
    // The last one that was told.
    private long term;
    // The former lease, if a member has said once that it has ended.
    private long endedOnce = NONE;
    private boolean busy;
    // So many are written together: as many as servers take, and for now, as one of more than these is refused.
    private int limit = BATCH;
    private int most = BATCH;
    // Those that may not be written at present, the one first that was tried longest ago.
    private final Set<LinePlace> refused = new LinkedHashSet<>();

    LeaseMigration(EtcdSession session, Evidence evidence, Collection<LinePlace> places) {
        this.session = session;
        this.evidence = evidence;
        this.places = places;
        this.refusals =
                session.repeatedRefusal(() -> "Cannot move the session to a lease of the present leader's time");
    }

    /** The session has its first lease, or none. */
    void begin(long first, long made) {
        lease = first;
        ownLease = first;
        madeIn = made;
        evidence.leases(leases());
    }

    /** What new keys hang on. Any thread. */
    long lease() {
        return lease;
    }

    /** All that must not end. */
    List<Long> leases() {
        return former == NONE ? List.of(lease) : List.of(former, lease);
    }

    /** An answer tells the term. */
    void onHeader(Header header) {
        if (header.term() > term) {
            term = header.term();
            session.loop().execute(this::advance);
        }
    }

    /** In contact again: what was under way has been answered. */
    void connected() {
        busy = false;
    }

    /** Does what is to be done next, if anything is; called again with each beat. */
    void advance() {
        if (busy || !session.attached() || !session.inContact()) {
            return;
        }
        if (former != NONE) {
            most = limit;
            List.copyOf(refused).stream().limit(AGAIN).forEach(refused::remove);
            move();
        } else if (term > madeIn) {
            grant();
        }
    }

    /** Whether this lease is not the one on which the session's own key hangs. */
    boolean isLeftBehind(long one) {
        return one == former && ownLease == lease;
    }

    /**
     * By a member's account this lease has ended. Of the one that is left behind that is believed the second time, a beat
     * later. Were it wrong all the same, nothing that is given up here would become a hold.
     */
    void ended(long one) {
        if (!isLeftBehind(one) || places.stream().anyMatch(place -> place.joinsWithLease(one))) {
            return;
        }
        if (endedOnce != one) {
            endedOnce = one;
            return;
        }
        log.warn("The former lease 0x{} of a session has ended before all had moved from it", Long.toHexString(one));
        List.copyOf(places).forEach(place -> place.leaseEnded(one));
        former = NONE;
        refusals.resolved();
        refused.clear();
        requestProof();
    }

    /**
     * This lease has ended for certain. If all is still to be moved to it, as while servers have no space, the session stays on
     * the former one, which lives: it must not wait for a write to find that out.
     */
    void endedForCertain(long one) {
        if (one == lease && former != NONE && ownLease != lease) {
            log.warn("The lease 0x{} that a session was moving to has ended", Long.toHexString(one));
            List.copyOf(places).forEach(place -> place.leaseEnded(one));
            keepFormer();
        }
    }

    private void grant() {
        busy = true;
        long known = term;
        evidence.asking();
        session.wire().grant(session.timeout(), (fault, granted) -> {
            busy = false;
            evidence.answered();
            if (granted == null) {
                notMoved(fault);
            } else {
                former = lease;
                lease = granted.id();
                formerMadeIn = madeIn;
                madeIn = known;
                requestProof();
                advance();
            }
        });
    }

    private void move() {
        List<LinePlace> batch = places.stream()
                .filter(place -> place.stands() && place.lease() != lease && !refused.contains(place))
                .limit(most)
                .toList();
        if (ownLease != lease || !batch.isEmpty()) {
            busy = true;
            session.wire().txn(txn(batch), (fault, result) -> {
                busy = false;
                moved(batch, fault, result);
            });
        } else if (former != NONE && places.stream().noneMatch(place -> place.mayUseLease(former))) {
            finish();
        }
    }

    private Txn txn(List<LinePlace> batch) {
        var ifs = new ArrayList<Compare>();
        var then = new ArrayList<Request>();
        var otherwise = new ArrayList<Request>();
        ifs.add(session.epoch());
        otherwise.add(Range.presence(session.ownKey()));
        if (ownLease != lease) {
            then.add(new Put(session.ownKey(), session.ownValue(), lease));
        }
        for (LinePlace place : batch) {
            ifs.add(new Compare.Created(place.key(), place.token()));
            then.add(new Put(place.key(), place.payload(), lease));
            otherwise.add(Range.presence(place.key()));
        }
        return new Txn(ifs, then, otherwise);
    }

    private void moved(List<LinePlace> batch, Fault fault, @Nullable Result result) {
        if (result == null) {
            if (former == NONE) {
                // The former lease has ended meanwhile, and what hung on it is given up: nothing is left to be moved.
                if (fault.code() == Code.NO_LEASE) {
                    session.verify();
                }
            } else if (fault.code() == Code.NO_LEASE) {
                // Nobody moves to a lease that is gone; if anything hung on it, that is found to be missing.
                session.verify();
                keepFormer();
            } else if (fault.code() == Code.DENIED || fault.code() == Code.TOO_LARGE) {
                writeInHalves(batch, fault);
            } else {
                notMoved(fault);
            }
            return; // with the next beat
        }
        if (result.met()) {
            if (ownLease != lease) {
                ownLease = lease;
                session.written(result.header().revision());
            }
            batch.forEach(place -> place.movedTo(lease));
            move();
        } else if (session.ownKeyRead(result.parts().get(0))) {
            result.parts().get(0).first().ifPresent(own -> ownLease = own.lease());
            seen(batch, result.parts().subList(1, result.parts().size()));
        }
    }

    /** One entry that may not be written must not keep the others, and the session's own key, where they are. */
    private void writeInHalves(List<LinePlace> batch, Fault fault) {
        if (batch.size() > 1) {
            most = batch.size() / 2;
            limit = fault.code() == Code.TOO_LARGE ? most : limit;
            move();
        } else {
            notMoved(fault);
            if (!batch.isEmpty()) {
                refused.addAll(batch);
                move();
            }
        }
    }

    /** Until it has moved, a leader that was stopped and goes on may end the session. */
    private void notMoved(Fault fault) {
        if (fault.code() != Code.LOST) {
            refusals.refused("etcd says " + fault.message() + "; it goes on trying");
        }
    }

    private static void seen(List<LinePlace> batch, List<Part> entries) {
        for (int i = 0; i < batch.size(); i++) {
            LinePlace place = batch.get(i);
            Kv entry = entries.get(i)
                    .first()
                    .filter(kv -> kv.created() == place.token())
                    .orElse(null);
            if (entry == null) {
                place.missing();
            } else {
                place.movedTo(entry.lease());
            }
        }
    }

    /** Nothing moves: another lease is asked for with the next beat. */
    private void keepFormer() {
        lease = former;
        former = NONE;
        refused.clear();
        madeIn = formerMadeIn;
        requestProof();
    }

    private void finish() {
        long old = former;
        former = NONE;
        refusals.resolved();
        refused.clear();
        requestProof();
        log.info(
                "The cluster has another leader: a session moves from its lease 0x{} to 0x{}",
                Long.toHexString(old),
                Long.toHexString(lease));
        session.wire().revoke(old, (fault, header) -> {});
    }

    /** Other leases have to be alive from now on. What was under way proves nothing of them, so a beat goes out at once. */
    private void requestProof() {
        evidence.leases(leases());
        session.heartbeat().requestProof();
    }
}
