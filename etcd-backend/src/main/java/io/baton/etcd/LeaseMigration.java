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
 * Moves a session to a new lease whenever the cluster has another leader. A former leader that resumes after a pause
 * may end the leases that it had, even if the current leader has just renewed them. It has none of the leases granted
 * since.
 *
 * <p>It rewrites the session's own key and its entries with the new lease, in batches. Each batch compares the epoch
 * and the revisions that created the entries. These revisions do not change, nor do tokens and positions in line. A
 * batch that the server refuses is split into halves, and an entry refused alone is retried with later beats.
 *
 * <p>Until no key is left on the former lease, both are renewed, and a proof requires both. Then the former lease is
 * revoked. If it ends before, for example by the resumed leader, the entries left on it are given up, and all others go
 * on.
 */
final class LeaseMigration {

    private static final Logger log = LoggerFactory.getLogger(LeaseMigration.class);

    /** No lease. */
    static final long NONE = 0;

    /** The number of entries in one transaction, which may have 128 operations. */
    private static final int BATCH = 50;

    /** The number of refused entries retried with one beat. */
    private static final int AGAIN = 16;

    private final EtcdSession session;
    private final Evidence evidence;
    private final Collection<LinePlace> places;
    private final RepeatedRefusal refusals;
    private volatile long lease = NONE;
    private long former = NONE;
    private long ownLease = NONE;
    // The last term known to have begun before the lease was requested.
    private long madeIn;
    private long formerMadeIn;
    // The highest term reported.
    private long term;
    // The former lease, if a member has reported once that it has ended.
    private long endedOnce = NONE;
    private boolean busy;
    // A batch got no answer. It may yet be applied, with values that have changed since, until the epoch rises.
    private boolean inDoubt;
    // The last attempt was refused, in part at least.
    private boolean wasRefused;
    // The number of entries written together: {@code limit} as the server accepts, {@code most} for now, after a
    // refusal.
    private int limit = BATCH;
    private int most = BATCH;
    // Entries that may not be written at present, the one tried longest ago first.
    private final Set<LinePlace> refused = new LinkedHashSet<>();

    LeaseMigration(EtcdSession session, Evidence evidence, Collection<LinePlace> places) {
        this.session = session;
        this.evidence = evidence;
        this.places = places;
        this.refusals =
                session.repeatedRefusal(() -> "Cannot move the session to a lease of the present leader's time");
    }

    /** Sets the session's first lease. */
    void begin(long first, long made) {
        lease = first;
        ownLease = first;
        madeIn = made;
        evidence.leases(leases());
    }

    /** The lease of new keys. Any thread. */
    long lease() {
        return lease;
    }

    /** The leases that must be renewed. */
    List<Long> leases() {
        return former == NONE ? List.of(lease) : List.of(former, lease);
    }

    /** Handles the term of an answer. */
    void onHeader(Header header) {
        if (header.term() > term) {
            term = header.term();
            session.loop().execute(this::advance);
        }
    }

    /** In contact again: all earlier requests have been answered. */
    void connected() {
        busy = false;
    }

    /** Goes on with each beat, but for a refused step, which may take many requests. */
    void beat(boolean repeatsRefused) {
        if (repeatsRefused || !wasRefused) {
            advance();
        }
    }

    /** Takes the next step, if there is one. */
    void advance() {
        if (busy || !session.attached() || !session.inContact()) {
            return;
        }
        wasRefused = false;
        if (former != NONE) {
            most = limit;
            List.copyOf(refused).stream().limit(AGAIN).forEach(refused::remove);
            move();
        } else if (term > madeIn) {
            grant();
        }
    }

    /** Whether this is the former lease, and the session's own key is on the new one. */
    boolean isLeftBehind(long one) {
        return one == former && ownLease == lease;
    }

    /**
     * A member reports that this lease has ended. For the former lease a second report, a beat later, is accepted. Even
     * if it is wrong, no entry that is given up here becomes a hold.
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
     * This lease has certainly ended. If everything must still move to it, for example while servers have no space, the
     * session keeps the former lease, which lives. It does not wait for a write to fail.
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
        if (writesOwnKey() || !batch.isEmpty()) {
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
        if (writesOwnKey()) {
            then.add(new Put(session.ownKey(), session.ownValue(), lease));
        }
        for (LinePlace place : batch) {
            ifs.add(new Compare.Created(place.key(), place.token()));
            then.add(new Put(place.key(), place.payload(), lease));
            otherwise.add(Range.presence(place.key()));
        }
        return new Txn(ifs, then, otherwise);
    }

    /** That raises the epoch. */
    private boolean writesOwnKey() {
        return ownLease != lease || inDoubt;
    }

    private void moved(List<LinePlace> batch, Fault fault, @Nullable Result result) {
        if (result == null) {
            inDoubt |= fault.code() == Code.LOST;
            if (former == NONE) {
                // The former lease has ended in the meantime, and its entries were given up: nothing is left to move.
                if (fault.code() == Code.NO_LEASE) {
                    session.verify();
                }
            } else if (fault.code() == Code.NO_LEASE) {
                // The new lease is gone, so the move ends. Entries already on it are found to be missing.
                session.verify();
                keepFormer();
            } else if (fault.code() == Code.DENIED || fault.code() == Code.TOO_LARGE) {
                writeInHalves(batch, fault);
            } else {
                notMoved(fault);
            }
            return; // continued with the next beat
        }
        if (result.met()) {
            if (writesOwnKey()) {
                ownLease = lease;
                inDoubt = false;
                session.written(result.header().revision());
            }
            batch.forEach(place -> place.movedTo(lease));
            move();
        } else if (session.ownKeyRead(result.parts().get(0))) {
            result.parts().get(0).first().ifPresent(own -> ownLease = own.lease());
            seen(batch, result.parts().subList(1, result.parts().size()));
        }
    }

    /** One entry that may not be written must not block the others and the session's own key. */
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

    /** Until the move is complete, a resumed former leader may end the session. */
    private void notMoved(Fault fault) {
        if (fault.code() != Code.LOST) {
            wasRefused = true;
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

    /** Ends the move. Another lease is requested with the next beat. */
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

    /** A proof now requires other leases. Renewals in flight do not cover them, so a beat is sent at once. */
    private void requestProof() {
        evidence.leases(leases());
        session.heartbeat().requestProofAnew();
    }
}
