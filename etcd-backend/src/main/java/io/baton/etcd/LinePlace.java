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
import io.baton.etcd.wire.EtcdWire.Part;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One contender's place in a line.
 *
 * <p>It joins by one transaction, which writes the entry and reads the entries created before it. Without an entry
 * ahead, the place is clear. Otherwise it {@link PredecessorWatch watches} its predecessor, and reads the line again
 * once that entry has gone. In a {@link Following followed} line, as one with few entries ahead is, it needs neither
 * watch nor read. The session's {@link Epoch} settles an unanswered join. The token is the revision that created the
 * entry. The entry's key is reused.
 *
 * <p>In a line of readers and writers, it waits for the entries that conflict with its claim. A reader reads the
 * writers ahead with their values, as the last of them may be downgraded.
 *
 * <p>Behind an entry of its own session, a place in a mutex's line does nothing. Once that entry has certainly gone, and none of the
 * {@link OwnEntries} stands ahead any more, it reads the line.
 */
final class LinePlace
        implements Place, LineDriver, PredecessorWatch.Waiter, Following.Follower, PendingRemovals.Leaver {

    /** The state of the entry's removal. */
    private enum Removal {
        NONE,
        /** About to be sent. */
        DUE,
        /** Sent, alone or with a join. */
        SENT
    }

    private static final int MAX_ATTEMPTS = 20;
    /** After this many attempts, a lost join is sent again only after a pause. */
    private static final int MANY_ATTEMPTS = 4;

    /** With so many entries ahead or fewer, a place follows the line, however seldom that is used. */
    private static final int FEW_AHEAD = 3;

    private final EtcdSession session;
    private final Line line;
    private final Claim claim;
    private final String prefix;
    /** How the keys of entries with this claim begin, and those of entries that conflict with it. */
    private final String keysBegin;

    private final String conflicting;
    private final PlaceLife life;
    private final OwnEntries ownEntries;
    private final RequestWindow.Request joining;
    private final RequestWindow.Request resolving;
    private final RequestWindow.Request looking;
    private final RequestWindow.Request listing;
    private final RequestWindow.Request removing;

    private Following following;
    // The hold is lost, but the entry stays while the holder may still be working.
    private boolean outlivesHold;
    private Removal removal = Removal.NONE;
    // Joins in flight that remove this entry, too.
    private int joinsUnderWay;
    private boolean keySpent;
    private boolean keyInDoubt;
    private boolean removesOnly;
    private Runnable ifAbsent = () -> {};
    private boolean checkedWithHeartbeat;
    private int attempts;
    // Attempts that the server had no room for do not count.
    private int turnedAway;
    private final RepeatedRefusal tooBusy;
    private byte[] payload;
    /** Set once a downgrade is asked for. */
    private @Nullable CompletableFuture<Void> downgraded;
    // Without removals in the same transaction, as the server accepts fewer operations.
    private boolean joinsOnly;
    private String key = "";
    private long token;
    private long lease;
    // The entries waited for: the predecessor, or all entries ahead that have not gone by the events.
    private @Nullable PredecessorWatch predecessor;
    /** Whether the line was to be followed for this place, which is done once. */
    private boolean askedToFollow;

    private final Set<String> ahead = new HashSet<>();
    private boolean reading;
    // The reads for the next place of this session, made behind this entry's removal.
    private @Nullable LineRead readBehind;
    // An event since then may be missing from the read in flight.
    private boolean readAgain;

    LinePlace(EtcdSession session, Line line, Claim claim, byte[] payload, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.claim = claim;
        this.prefix = session.key(line) + "/";
        this.keysBegin = prefix + EntryNames.beginning(line.kind(), claim);
        this.conflicting = prefix + EntryNames.conflicting(line.kind(), claim);
        this.payload = payload;
        this.life = new PlaceLife(
                this,
                to,
                session.loop(),
                session.refusedRemovals(),
                session.repeatedRefusal(() -> "Cannot see whether the entry " + key + " was made"),
                session.repeatedRefusal(
                        () -> "Cannot remove the entry " + key + ", which has been left: others wait behind it"));
        this.tooBusy = session.repeatedRefusal(
                () -> (downgraded == null ? "Cannot join " : "Cannot downgrade the hold of ") + line);
        this.following = session.followings().of(prefix);
        this.ownEntries = session.ownEntries();
        RequestWindow window = session.window();
        this.joining = window.request(prefix, Priority.LOW, life::mayJoin, this::join);
        this.resolving = window.request(prefix, Priority.HIGH, this::inDoubt, this::resolve);
        this.looking = window.request(prefix, Priority.HIGH, this::inDoubt, this::look);
        this.listing = window.request(prefix, Priority.HIGH, this::readsLine, this::list);
        this.removing =
                window.request(prefix, Priority.HIGH, () -> !closed() && removal == Removal.DUE, this::sendDelete);
    }

    /** The prefix of the keys of the line's entries. */
    String prefix() {
        return prefix;
    }

    /** Whether all entries of the line claim it for themselves alone. */
    private boolean mutex() {
        return line.kind() == Line.Kind.MUTEX;
    }

    /** Where own entries wait for each other: in a mutex's line, and in no other. */
    String ownLine() {
        return mutex() ? prefix : key;
    }

    /** The entry's key. Only for a place that stands. */
    @Override
    public String key() {
        return key;
    }

    /** The revision that created the entry. Only for a place that stands. */
    long token() {
        return token;
    }

    byte[] payload() {
        return payload;
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
        if (downgraded != null) {
            // That write may have undone the downgrade's.
            sendDowngrade();
        }
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

    void start() {
        life.start();
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

    /** Whether this place must read the line: it stands, and no entry of this session stands ahead. */
    private boolean readsLine() {
        return life.waits() && ownEntries.isFirst(this);
    }

    /**
     * The keys that an audit reads for a waiting place: its own, and those that must go first. Empty if it does not
     * wait.
     */
    List<String> auditedKeys() {
        if (!life.waits()) {
            return List.of();
        }
        var keys = new ArrayList<String>();
        keys.add(key);
        if (predecessor != null) {
            keys.add(predecessor.key());
        }
        keys.addAll(ahead);
        return keys;
    }

    /** Handles an audit: the audited keys that exist, with the revisions that created them. */
    void audit(Map<String, Long> entries) {
        if (!life.waits()) {
            return;
        }
        boolean stands = entries.getOrDefault(key, 0L) == token;
        if (!stands && !readsLine()) {
            missing();
        } else if (predecessor != null && !(stands && aheadOfUs(entries, predecessor.key()))) {
            if (stands && predecessor.isArmed()) {
                eventMissed(predecessor.key());
            }
            list();
        } else if (!ahead.isEmpty() && !(stands && ahead.stream().allMatch(other -> aheadOfUs(entries, other)))) {
            if (stands && following.hasFollower(this)) {
                ahead.stream()
                        .filter(other -> !aheadOfUs(entries, other))
                        .limit(1)
                        .forEach(this::eventMissed);
                // The event is lost or late. A stream that has lost one must not be relied on again.
                following.stop();
            } else {
                following.leave(this);
                gap();
            }
        } else if (claim.equals(Claim.SHARED)) {
            list(); // the event of a downgrade may be lost, too
        }
    }

    /** An audit has found that this entry has gone. A read in flight or queued would also have found that. */
    private void eventMissed(String other) {
        if (!reading && !listing.queued()) {
            session.lostEvents().found(other);
        }
    }

    /** The audit was refused. If the line may not be read any more, the read shows that. */
    void auditRefused() {
        list();
    }

    /** An entry of this session stands ahead, so that place reads the line. */
    void ownEntryAhead() {
        if (life.phase() == Phase.STANDING) {
            unwatch();
            following.leave(this);
            ahead.clear();
            checkWithHeartbeat(false);
            life.behind(); // the read that is dropped here would have notified the listener
        }
    }

    /** No entry of this session stands ahead any more. */
    void ownEntryAheadRemoved(@Nullable LineRead read) {
        if (read != null && read.of() == this && readsLine() && !reading) {
            listed(Fault.NONE, read.result(), read.stream());
        } else {
            list();
        }
    }

    /** False for an entry that has gone and come back under the same key. */
    private boolean aheadOfUs(Map<String, Long> entries, String other) {
        return entries.getOrDefault(other, Long.MAX_VALUE) < token;
    }

    @Override
    public void armed() {
        list();
    }

    @Override
    public void predecessorRemoved() {
        if (predecessor != null && mutex()) {
            session.predecessorWatches().add(prefix, predecessor);
            predecessor = null;
        }
        unwatch();
        list();
    }

    @Override
    public void predecessorWritten() {
        if (claim.equals(Claim.SHARED)) {
            list(); // it may be downgraded
        }
    }

    @Override
    public CompletionStage<Void> downgrade() {
        Downgrades.check(line, claim, life.phase() == Phase.CLEAR && !life.isLeft());
        CompletableFuture<Void> known = downgraded;
        if (known == null) {
            known = new CompletableFuture<>();
            downgraded = known;
            payload = Downgrades.mark(payload); // also for a move to another lease
            sendDowngrade();
        }
        return known;
    }

    private void sendDowngrade() {
        var ifs = List.<Compare>of(new Compare.Created(key, token));
        var then = List.<Request>of(new Put(key, payload, Put.SAME_LEASE));
        session.window()
                .request(
                        prefix,
                        Priority.HIGH,
                        life::stands,
                        turn -> turn.txn(new Txn(ifs, then, List.of()), this::downgraded))
                .send();
    }

    private void downgraded(Fault fault, @Nullable Result result) {
        CompletableFuture<Void> done = downgraded;
        if (done == null || !life.stands()) {
            return;
        }
        if (result != null && result.met()) {
            tooBusy.resolved();
            done.complete(null);
        } else if (result != null) {
            missing();
        } else if (fault.code() == EtcdWire.Code.LOST) {
            onReconnect(this::sendDowngrade);
        } else if (fault.code() == EtcdWire.Code.OVERLOADED) {
            tooBusy(fault);
            session.retryLater(MANY_ATTEMPTS, this::sendDowngrade);
        } else {
            tooBusy.resolved();
            done.completeExceptionally(Errors.of("cannot downgrade the hold of " + line, fault));
        }
    }

    @Override
    public void unwatched() {
        predecessor = null;
        onReconnect(this::list);
    }

    @Override
    public void removed(Set<String> keys) {
        if (!life.waits()) {
            return;
        }
        if (keys.contains(key)) {
            // Deleted by another client, or with the session: a read's answer shows which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.removeAll(keys) && ahead.isEmpty()) {
            life.first();
        } else {
            checkWithHeartbeat(ahead.size() == 1);
        }
    }

    @Override
    public void gap() {
        ahead.clear();
        if (session.inContact()) {
            list();
        } else {
            onReconnect(this::list);
        }
    }

    private void join(Sender turn) {
        session.refusedRemovals().refusal(line).ifPresentOrElse(this::refuseToJoin, () -> sendJoin(turn));
    }

    private void sendJoin(Sender turn) {
        life.sent();
        attempts++;
        key = session.entryKeys().take(keysBegin).orElseGet(() -> keysBegin + session.newEntry());
        long stream = Following.NONE;
        following = session.followings().of(prefix);
        if (mutex()) {
            following.joining();
            stream = following.stream();
        }
        long openStream = stream;
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
        then.add(new Put(key, payload, lease));
        boolean reads = ownEntries.joinReads(ownLine());
        if (reads) {
            then.add(nearest(1 + wanted(openStream), 0));
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
                if (!reads || !readsLine()) {
                    standOrWait();
                } else {
                    Part line = result.parts().get(result.parts().size() - 1);
                    if (mutex()) {
                        following.joined((int) line.count() - 1);
                    }
                    stand(others(line), openStream, token);
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

    /** The entry stands, but the entries ahead were not read with it. */
    private void standOrWait() {
        if (readsLine()) {
            list();
        } else {
            life.behind();
        }
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

    private void tooBusy(Fault fault) {
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
        standOrWait();
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

    /** Reads the nearest entry ahead, and whether the own entry still stands. */
    private void list() {
        if (!readsLine()) {
            return;
        }
        if (reading) {
            readAgain = true;
        } else {
            listing.send();
        }
    }

    private void list(Sender turn) {
        reading = true;
        long stream = claim.equals(Claim.EXCLUSIVE) ? following.stream() : Following.NONE;
        turn.txn(new Txn(List.of(), lineReads(stream), List.of()), (fault, result) -> {
            reading = false;
            boolean stale = readAgain;
            readAgain = false;
            if (stale && result != null) {
                list();
            } else if (readsLine()) {
                listed(fault, result, stream);
            }
        });
    }

    private List<Request> lineReads(long stream) {
        return List.of(Range.presence(session.ownKey()), Range.presence(key), nearest(wanted(stream), token - 1));
    }

    /** Reads the nearest entries that conflict with this one, created at this revision or before. */
    private Range nearest(int limit, long maxCreated) {
        return claim.equals(Claim.SHARED)
                ? Range.newestValues(conflicting, limit, maxCreated)
                : Range.newest(conflicting, limit, maxCreated);
    }

    private void listed(Fault fault, @Nullable Result result, long stream) {
        if (result == null) {
            unwatch();
            if (fault.code() == EtcdWire.Code.LOST || fault.code() == EtcdWire.Code.OVERLOADED) {
                onReconnect(this::list);
            } else {
                life.stuck(Errors.of("cannot wait in " + line, fault));
            }
        } else if (!session.ownKeyRead(result.parts().get(0))) {
            return; // the session has ended, and its listeners have been notified
        } else if (!stands(result.parts().get(1))) {
            missing();
        } else {
            session.heartbeatRequests().seen(this);
            stand(others(result.parts().get(2)), stream, result.header().revision());
        }
    }

    private boolean stands(Part own) {
        return own.first().map(entry -> entry.created() == token).orElse(false);
    }

    /** The entries that conflict with this one, the nearest first. */
    private List<Kv> others(Part line) {
        List<Kv> ahead =
                line.kvs().stream().filter(entry -> entry.created() < token).toList();
        boolean free = switch (claim.mode()) {
            case EXCLUSIVE -> false;
            case SHARED -> ahead.size() == 1 && Downgrades.isMarked(ahead.get(0).value());
            case PERMITS -> true;
        };
        return free ? List.of() : ahead;
    }

    /** The number of entries ahead to read: one more than may be followed. Two show whether the nearest is the only one. */
    private int wanted(long stream) {
        if (stream != Following.NONE) {
            return Following.NOT_TOO_LONG + 1;
        }
        return mayFollowBriefly() ? FEW_AHEAD + 1 : 2;
    }

    /** A reader does not, as a writer may be downgraded. */
    private boolean mayFollowBriefly() {
        return claim.equals(Claim.EXCLUSIVE) && !askedToFollow;
    }

    /** Stands behind these entries, the nearest first, as of this revision. */
    private void stand(List<Kv> others, long stream, long revision) {
        if (others.isEmpty()) {
            life.first();
            return;
        }
        checkWithHeartbeat(others.size() == 1);
        if (stream != Following.NONE && others.size() > Following.NOT_TOO_LONG) {
            following.joined(others.size());
        }
        Kv nearest = others.get(0);
        if (predecessor != null && predecessor.watches(nearest)) {
            return;
        }
        unwatch();
        life.behind();
        if (!life.waits()) {
            return;
        }
        var names = new HashSet<String>();
        others.forEach(other -> names.add(other.key()));
        // An entry in an earlier answer may have gone before this one, and its event will not come.
        ahead.clear();
        if (stream != Following.NONE && following.follow(this, key, stream, revision, names)) {
            ahead.addAll(names);
            checkWithHeartbeat(ahead.size() == 1);
            if (ahead.isEmpty()) {
                life.first();
            }
        } else {
            following.leave(this);
            if (others.size() <= FEW_AHEAD && mayFollowBriefly()) {
                askedToFollow = true;
                ahead.addAll(names); // for audits, until the stream is open
                following.openFor(this);
            } else {
                watch(nearest, revision);
            }
        }
    }

    @Override
    public void open() {
        list();
    }

    private void watch(Kv nearest, long revision) {
        // A kept watch does not tell whether the entry was written since it was read.
        Optional<PredecessorWatch> kept =
                mutex() ? session.predecessorWatches().take(prefix, nearest) : Optional.empty();
        predecessor = kept.orElseGet(() -> claim.equals(Claim.SHARED)
                ? PredecessorWatch.onWrites(session.wire(), nearest, this)
                : PredecessorWatch.on(session.wire(), nearest, this));
        if (kept.isPresent() && !kept.get().reuse(nearest, revision, this)) {
            predecessorRemoved();
        }
    }

    @Override
    public Entry first() {
        unwatch();
        following.leave(this);
        checkWithHeartbeat(true);
        String name = key.substring(prefix.length());
        return new Entry(new Peer(line, name, token, claim), token, payload, session.id());
    }

    private void unwatch() {
        if (predecessor != null) {
            predecessor.close();
            predecessor = null;
        }
    }

    @Override
    public void remove() {
        outlivesHold = false;
        if (life.entered() && removal == Removal.NONE) {
            removal = Removal.DUE;
            session.pendingRemovals().add(prefix, this);
            if (ownEntries.next(this).isPresent()) {
                removing.send();
            } else {
                // Delayed, so that a join requested at once can carry the removal.
                session.loop().execute(removing::send);
            }
        }
    }

    @Override
    public boolean joinSending() {
        joinsUnderWay++;
        boolean relies = removal == Removal.DUE;
        if (relies) {
            removal = Removal.SENT;
        }
        return relies;
    }

    @Override
    public void joinDone(PendingRemovals.Piggyback how, boolean relied) {
        joinsUnderWay--;
        if (how == PendingRemovals.Piggyback.UNKNOWN) {
            keyInDoubt = true;
        }
        if (closed()) {
            releaseKey();
        } else if (how == PendingRemovals.Piggyback.REMOVED) {
            life.removed();
        } else if (relied) {
            removal = Removal.NONE;
            remove();
        }
    }

    /** The next own place's reads follow the removal in the same transaction. */
    private void sendDelete(Sender turn) {
        removal = Removal.SENT;
        LinePlace next = removesOnly ? null : ownEntries.next(this).orElse(null);
        long stream = next == null ? Following.NONE : next.following.stream();
        var then = new ArrayList<Request>();
        then.add(new Delete(key));
        if (next != null) {
            then.addAll(next.lineReads(stream));
        }
        turn.txn(new Txn(List.of(new Compare.Created(key, token)), then, List.of()), (fault, result) -> {
            removal = Removal.NONE;
            if (result != null) {
                readBehind = next != null && result.met() ? LineRead.behindRemoval(next, result, stream) : null;
                life.removed();
            } else if (fault.code() == EtcdWire.Code.OVERLOADED) {
                life.removalFailed("etcd says " + fault.message());
                session.retryLater(MAX_ATTEMPTS, this::remove);
            } else if (fault.code() != EtcdWire.Code.LOST) {
                if (next == null) {
                    life.removalRefused("etcd says " + fault.message(), () -> Errors.of("cannot remove " + key, fault));
                } else {
                    removesOnly = true; // removal may be permitted even if reads of the line are not
                    remove();
                }
            } else {
                onReconnect(this::remove);
            }
        });
    }

    private void onReconnect(Runnable task) {
        session.onReconnect(() -> !closed(), task);
    }

    /** Posted: no callback runs within a call. */
    private void refuseToJoin(CoordinationException why) {
        session.loop().execute(() -> life.gone(why));
    }

    @Override
    public void closed(Phase before) {
        tooBusy.resolved();
        session.pendingRemovals().remove(prefix, this);
        keySpent = before == Phase.STANDING || before == Phase.CLEAR;
        releaseKey();
        session.placeClosed(this);
        ownEntries.remove(this, readBehind);
    }

    private void releaseKey() {
        if (keySpent && joinsUnderWay == 0 && !keyInDoubt) {
            keySpent = false;
            session.entryKeys().release(keysBegin, key);
        }
    }

    @Override
    public CompletionStage<Void> closedWithSession() {
        session.placeClosed(this);
        return session.ended();
    }

    @Override
    public void stop() {
        if (downgraded != null) {
            downgraded.completeExceptionally(Downgrades.ended(line));
        }
        unwatch();
        following.leave(this);
        ahead.clear();
        checkWithHeartbeat(false);
    }

    private boolean joining() {
        return life.phase() == Phase.JOINING;
    }

    private boolean inDoubt() {
        return life.phase() == Phase.DOUBT;
    }

    private boolean closed() {
        return life.phase() == Phase.CLOSED;
    }

    /** Sets whether heartbeats check the entry, as for a hold and the next in line. */
    private void checkWithHeartbeat(boolean now) {
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
