package io.baton.etcd;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Sender;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Compare;
import io.baton.etcd.wire.EtcdWire.Delete;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.LineDriver;
import io.baton.spi.support.PlaceLife;
import io.baton.spi.support.PlaceMachine.Phase;
import io.baton.spi.support.RepeatedRefusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One contender's place in a line.
 *
 * <p>It joins by one transaction, which writes the entry and reads the entries created before it. {@link EntriesAhead}
 * says when the place is clear. The session's {@link Epoch} settles an unanswered join. The token is the revision that
 * created the entry. The entry's key is reused.
 */
final class LinePlace implements Place, LineDriver {

    private static final int MAX_ATTEMPTS = 20;
    /** After this many attempts, a lost join is sent again only after a pause. */
    private static final int MANY_ATTEMPTS = 4;

    private final EtcdSession session;
    private final Line line;
    private final Claim claim;
    private final String prefix;
    /** How the keys of entries with this claim begin. */
    private final String keysBegin;

    private final PlaceLife life;
    private final OwnEntries ownEntries;
    private final EntriesAhead entriesAhead;
    private final EntryRemoval removal;
    private final EntryDowngrade downgrade;
    private final RequestWindow.Request joining;
    private final RequestWindow.Request resolving;
    private final RequestWindow.Request looking;

    // The hold is lost, but the entry stays while the holder may still be working.
    private boolean outlivesHold;
    private Runnable ifAbsent = () -> {};
    private boolean checkedWithHeartbeat;
    private int attempts;
    // Attempts that the server had no room for do not count.
    private int turnedAway;
    private final RepeatedRefusal tooBusy;
    // Without removals in the same transaction, as the server accepts fewer operations.
    private boolean joinsOnly;
    private String key = "";
    private long token;
    private long lease;

    LinePlace(EtcdSession session, Line line, Claim claim, byte[] payload, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.claim = claim;
        this.prefix = session.key(line) + "/";
        this.keysBegin = prefix + EntryNames.beginning(line.kind(), claim);
        this.life = new PlaceLife(
                this,
                to,
                session.loop(),
                session.refusedRemovals(),
                session.repeatedRefusal(() -> "Cannot see whether the entry " + key + " was made"),
                session.repeatedRefusal(
                        () -> "Cannot remove the entry " + key + ", which has been left: others wait behind it"));
        this.tooBusy = session.repeatedRefusal(this::refused);
        this.ownEntries = session.ownEntries();
        RequestWindow window = session.window();
        this.joining = window.request(prefix, Priority.LOW, life::mayJoin, this::join);
        this.resolving = window.request(prefix, Priority.HIGH, this::inDoubt, this::resolve);
        this.looking = window.request(prefix, Priority.HIGH, this::inDoubt, this::look);
        this.entriesAhead = new EntriesAhead(session, this, life, claim);
        this.removal = new EntryRemoval(session, this, life);
        this.downgrade = new EntryDowngrade(session, this, life, payload);
    }

    Line line() {
        return line;
    }

    /** The prefix of the keys of the line's entries. */
    String prefix() {
        return prefix;
    }

    /** How the keys of entries of this line and claim begin. */
    String keysBegin() {
        return keysBegin;
    }

    /** Whether all entries of the line claim it for themselves alone. */
    boolean mutex() {
        return line.kind() == Line.Kind.MUTEX;
    }

    /** Where own entries wait for each other: in a mutex's line, and in no other. */
    String ownLine() {
        return mutex() ? prefix : key;
    }

    /** The entry's key. Only for a place that stands. */
    String key() {
        return key;
    }

    /** The revision that created the entry. Only for a place that stands. */
    long token() {
        return token;
    }

    /** The value to write into the entry, also for a move to another lease. */
    byte[] payload() {
        return downgrade.payload();
    }

    /** Whether the entry stands and has not been left. */
    boolean stands() {
        return life.stands();
    }

    /** Whether its entry exists, or may come to exist. */
    boolean mayHaveEntry() {
        return life.entered() || joining() || inDoubt();
    }

    /** The entry's lease. Only for a place that stands. */
    long lease() {
        return lease;
    }

    /** The entry was rewritten with another lease. */
    void movedTo(long other) {
        lease = other;
        downgrade.rewritten();
    }

    /** Whether an entry on this lease exists, or may come to exist, that is to stay, at least for a while. */
    boolean mayUseLease(long one) {
        return lease == one && (stands() || outlivesHold || joining() || inDoubt());
    }

    /** Whether a join with this lease is in flight. */
    boolean joinsWithLease(long one) {
        return lease == one && joining();
    }

    /** This lease has ended, or is no longer renewed. An entry on it must not become a hold. */
    void leaseEnded(long one) {
        if (lease == one && stands()) {
            // An unanswered request may have moved the entry. It is removed then.
            life.stuck(
                    new LockLostException("the lease of the entry " + key + " ended before it was moved to another"));
        } else if (lease == one && inDoubt()) {
            life.gone(
                    new CoordinationException(
                            "cannot see whether " + line
                                    + " was joined, and the lease with which that was asked for has ended; the line may be joined again"));
        }
    }

    /** What stands ahead of its entry, and how the place waits for that to go. */
    EntriesAhead entriesAhead() {
        return entriesAhead;
    }

    void start() {
        life.start();
    }

    @Override
    public CompletionStage<Void> downgrade() {
        Downgrades.check(line, claim, life.phase() == Phase.CLEAR && !life.isLeft());
        return downgrade.begin();
    }

    @Override
    public void join() {
        joining.send();
    }

    @Override
    public CompletionStage<Void> leave() {
        return life.leave();
    }

    /** The session has ended, and its entry with it. */
    void sessionLost(CoordinationException why) {
        life.sessionLost(why);
    }

    /** The entry does not exist, but its session does. */
    void missing() {
        life.gone(new LockLostException("the entry " + key + " was removed by somebody else"));
    }

    /**
     * The server keeps refusing to show the entry. A holder's promise may still last for a time to live, and the holder
     * may not be able to stop at once. For that time the entry keeps its successor out.
     */
    void unreadable(Fault fault) {
        if (closed() || life.isLeft()) {
            return;
        }
        if (life.phase() == Phase.CLEAR) {
            outlivesHold = true;
            session.loop().after(session.timeout(), this::remove);
        }
        life.unseen(Errors.of("cannot look at " + key, fault));
    }

    /** These entries have been removed. */
    void removed(Collection<Compare.Created> entries) {
        if (life.entered() && entries.contains(new Compare.Created(key, token))) {
            life.gone(new LockLostException("the entry " + key + " was removed"));
        }
    }

    private void join(Sender turn) {
        session.refusedRemovals().refusal(line).ifPresentOrElse(this::refuseToJoin, () -> sendJoin(turn));
    }

    private void sendJoin(Sender turn) {
        life.sent();
        attempts++;
        key = session.entryKeys().take(keysBegin).orElseGet(() -> keysBegin + session.newEntry());
        long stream = entriesAhead.joining();
        var then = new ArrayList<Request>();
        // Entries that this session has left must not be waited for, so the join removes them, too.
        var leavers = new LinkedHashMap<PendingRemovals.Leaver, Boolean>();
        for (PendingRemovals.Leaver old : joinsOnly
                ? List.<PendingRemovals.Leaver>of()
                : session.pendingRemovals().of(prefix)) {
            then.add(new Delete(old.key()));
            leavers.put(old, old.joinSending());
        }
        lease = session.lease();
        then.add(new Put(key, payload(), lease));
        boolean reads = ownEntries.joinReads(ownLine());
        if (reads) {
            then.add(entriesAhead.readWithJoin(stream));
        }
        String ownLine = ownLine();
        ownEntries.joining(ownLine);
        List<Compare> ifs = List.of(session.epoch(), new Compare.Created(key, 0));
        var otherwise = List.<Request>of(Range.presence(session.ownKey()));
        turn.txn(new Txn(ifs, then, otherwise), (fault, result) -> {
            ownEntries.joined(ownLine);
            PendingRemovals.Piggyback outcome = joinOutcome(fault, result);
            leavers.forEach((old, relied) -> old.joinDone(outcome, relied));
            if (!joining()) {
                return;
            }
            if (result == null) {
                notJoined(fault, !leavers.isEmpty());
            } else if (result.met()) {
                entered(result.header().revision());
                if (reads) {
                    entriesAhead.joined(result.parts().get(result.parts().size() - 1), stream);
                } else {
                    entriesAhead.find();
                }
            } else {
                life.undone();
                session.ownKeyRead(result.parts().get(0));
                session.retryLater(attempts - 1, this::start);
            }
        });
    }

    private static PendingRemovals.Piggyback joinOutcome(Fault fault, @Nullable Result result) {
        if (fault.code() == EtcdWire.Code.LOST) {
            return PendingRemovals.Piggyback.UNKNOWN;
        }
        return result != null && result.met() ? PendingRemovals.Piggyback.REMOVED : PendingRemovals.Piggyback.NO_EFFECT;
    }

    private void entered(long created) {
        token = created;
        tooBusy.resolved();
        ownEntries.add(this);
        life.joined();
    }

    private void notJoined(Fault fault, boolean withRemovals) {
        switch (fault.code()) {
            case TOO_LARGE -> {
                if (withRemovals) {
                    joinsOnly = true;
                    life.undone();
                    start();
                } else {
                    life.gone(Errors.of("cannot join " + line, fault));
                }
            }
            case LOST -> resolveDoubt();
            case NO_LEASE -> {
                life.undone();
                session.verify();
                retry(fault);
            }
            case OVERLOADED -> {
                life.undone();
                turnedAway++;
                tooBusy(fault);
                session.retryLater(attempts, this::start);
            }
            case NO_SPACE -> {
                life.unanswered();
                resolve(() -> life.gone(Errors.of("cannot join " + line, fault)));
            }
            default -> life.gone(Errors.of("cannot join " + line, fault));
        }
    }

    /** What a busy server refuses. */
    private String refused() {
        return (downgrade.hasBegun() ? "Cannot downgrade the hold of " : "Cannot join ") + line;
    }

    /** The server has answered what it may have refused before. */
    void answered() {
        tooBusy.resolved();
    }

    void tooBusy(Fault fault) {
        tooBusy.refused("etcd says " + fault.message() + "; it goes on trying");
    }

    private void retry(Fault fault) {
        if (attempts - turnedAway < MAX_ATTEMPTS) {
            session.retryLater(attempts, this::start);
        } else {
            life.gone(Errors.of("cannot join " + line, fault));
        }
    }

    private void resolveDoubt() {
        life.unanswered();
        session.settle(this::inDoubt, () -> resolve(this::startAnew), looking::send);
    }

    /**
     * The epoch cannot be raised at present. If the entry is there, its join was applied: no other request could have
     * made one under this key. Only its absence would not be final.
     */
    private void look(Sender turn) {
        turn.txn(Txn.read(Range.presence(key)), (fault, result) -> {
            if (result != null && inDoubt()) {
                result.parts()
                        .get(0)
                        .first()
                        .filter(entry -> entry.key().equals(key))
                        .ifPresent(this::found);
            }
        });
    }

    /** No earlier request can be applied any more, so the read is final. */
    private void resolve(Runnable otherwise) {
        ifAbsent = otherwise;
        resolving.send();
    }

    private void resolve(Sender turn) {
        turn.txn(Txn.read(Range.presence(key)), (fault, result) -> {
            if (!inDoubt()) {
                return;
            }
            if (result == null) {
                resolveAgain(fault);
                return;
            }
            var entry = result.parts().get(0).first();
            if (entry.isPresent()) {
                found(entry.get());
            } else {
                ifAbsent.run();
            }
        });
    }

    private void found(Kv entry) {
        lease = entry.lease();
        entered(entry.created());
        entriesAhead.find();
    }

    private void resolveAgain(Fault fault) {
        if (fault.code() != EtcdWire.Code.LOST) {
            life.searchRefused("etcd says " + fault.message() + "; it goes on trying");
        }
        onReconnect(resolving::send);
    }

    private void startAnew() {
        life.undone();
        if (attempts < MANY_ATTEMPTS) {
            start();
        } else {
            session.retryLater(attempts, this::start);
        }
    }

    @Override
    public Entry first() {
        entriesAhead.cleared();
        checkWithHeartbeat(true);
        String name = key.substring(prefix.length());
        return new Entry(new Peer(line, name, token, claim), token, payload(), session.id());
    }

    @Override
    public void remove() {
        outlivesHold = false;
        removal.begin();
    }

    void onReconnect(Runnable task) {
        session.onReconnect(() -> !closed(), task);
    }

    /** Posted: no callback runs within a call. */
    private void refuseToJoin(CoordinationException why) {
        session.loop().execute(() -> life.gone(why));
    }

    @Override
    public void closed(Phase before) {
        tooBusy.resolved();
        removal.closed(before == Phase.STANDING || before == Phase.CLEAR);
        session.placeClosed(this);
        ownEntries.remove(this, removal.readBehind());
    }

    @Override
    public CompletionStage<Void> closedWithSession() {
        session.placeClosed(this);
        return session.ended();
    }

    @Override
    public void stop() {
        downgrade.stop();
        entriesAhead.stop();
        checkWithHeartbeat(false);
    }

    private boolean joining() {
        return life.phase() == Phase.JOINING;
    }

    private boolean inDoubt() {
        return life.phase() == Phase.DOUBT;
    }

    boolean closed() {
        return life.phase() == Phase.CLOSED;
    }

    /** Sets whether heartbeats check the entry, as for a hold and the next in line. */
    void checkWithHeartbeat(boolean now) {
        if (checkedWithHeartbeat != now) {
            checkedWithHeartbeat = now;
            if (now) {
                session.heartbeatRequests().check(this);
            } else {
                session.heartbeatRequests().uncheck(this);
            }
            session.countProofUser(now);
        }
    }
}
