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
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.Pauses;
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
 * <p>Joining is one transaction: it writes the entry and reads who was created before it. If nobody was, the place is
 * clear; otherwise the nearest one is {@link PredecessorWatch watched}, and when it has gone one read tells who is
 * nearest now. In a line that is {@link Following followed}, neither watch nor read is needed. A join without an answer
 * is settled by the session's {@link Epoch}. The token is the revision that created the entry. Its key is used again.
 *
 * <p>Behind an entry of the same session a place does nothing: once that one has gone for certain, and none of the
 * {@link OwnEntries} stands ahead any more, it reads.
 */
final class LinePlace implements Place, PredecessorWatch.Waiter, Following.Follower, PendingRemovals.Leaver {

    private enum State {
        /** Nothing sent, or known to have had no effect. */
        ABSENT,
        /** The join is under way. */
        JOINING,
        /** The join may have been applied, or may be yet. */
        DOUBT,
        /** The entry is in the line; others stand ahead, or that is being found out. */
        STANDING,
        /** Nobody stands ahead. */
        CLEAR,
        /** The entry is gone, or will be with its session. */
        CLOSED
    }

    /** How the entry's removal goes. */
    private enum Removal {
        NONE,
        /** About to be sent. */
        DUE,
        /** On its way, or with a join that is. */
        SENT
    }

    private static final int MAX_ATTEMPTS = 20;
    /** From then on a join that was lost is not sent again at once. */
    private static final int MANY_ATTEMPTS = 4;

    private final EtcdSession session;
    private final Line line;
    private final String prefix;
    private final byte[] payload;
    private final PlaceListener to;
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final OwnEntries ownEntries;
    private final RequestWindow.Request joining;
    private final RequestWindow.Request resolving;
    private final RequestWindow.Request listing;
    private final RequestWindow.Request removing;
    private final RepeatedRefusal inDoubt;
    private final RepeatedRefusal refusedRemoval;

    private State state = State.ABSENT;
    private Following following;
    private boolean leaving;
    // The hold is lost, and the entry stays for as long as it may be at work.
    private boolean outlivesHold;
    private Removal removal = Removal.NONE;
    // Joins that remove the entry, too.
    private int joinsUnderWay;
    private boolean keySpent;
    private boolean keyInDoubt;
    private boolean removesOnly;
    private Runnable ifAbsent = () -> {};
    private boolean waitingNotified;
    private boolean checkedWithHeartbeat;
    private int attempts;
    private int refusals;
    // With no removals in the same transaction, as servers take fewer operations at once.
    private boolean joinsOnly;
    private String key = "";
    private long token;
    private long lease;
    // Who is waited for: the nearest one ahead, or all of them, as the stream of events has left them.
    private @Nullable PredecessorWatch predecessor;
    private final Set<String> ahead = new HashSet<>();
    private boolean reading;
    // What the read under way may not show has been told since.
    private boolean readAgain;

    LinePlace(EtcdSession session, Line line, byte[] payload, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.prefix = session.key(line) + "/";
        this.payload = payload;
        this.to = to;
        this.following = session.followings().of(prefix);
        this.ownEntries = session.ownEntries();
        RequestWindow window = session.window();
        this.joining = window.request(prefix, Priority.LOW, () -> state == State.ABSENT && !leaving, this::join);
        this.resolving = window.request(prefix, Priority.HIGH, () -> state == State.DOUBT, this::resolve);
        this.listing = window.request(prefix, Priority.HIGH, this::readsLine, this::list);
        this.removing = window.request(
                prefix, Priority.HIGH, () -> state != State.CLOSED && removal == Removal.DUE, this::sendDelete);
        this.inDoubt = session.repeatedRefusal(() -> "Cannot see whether the entry " + key + " was made");
        this.refusedRemoval = session.repeatedRefusal(
                () -> "Cannot remove the entry " + key + ", which has been left: others wait behind it");
    }

    /** How the keys of the line's entries begin. */
    String prefix() {
        return prefix;
    }

    /** The entry's key; only of a place that stands. */
    @Override
    public String key() {
        return key;
    }

    /** The revision that created the entry; only of a place that stands. */
    long token() {
        return token;
    }

    byte[] payload() {
        return payload;
    }

    /** Whether the entry stands, and is to go on standing. */
    boolean stands() {
        return (state == State.STANDING || state == State.CLEAR) && !leaving;
    }

    /** What the entry hangs on; only of a place that stands. */
    long lease() {
        return lease;
    }

    /** The entry was written anew. */
    void movedTo(long other) {
        lease = other;
    }

    /** Whether there is, or may come to be, an entry on this lease that is to go on standing, for good or for a while. */
    boolean mayUseLease(long one) {
        return lease == one && (stands() || outlivesHold || state == State.JOINING || state == State.DOUBT);
    }

    /** Whether a join with this lease is under way. */
    boolean joinsWithLease(long one) {
        return lease == one && state == State.JOINING;
    }

    /** What hung on this lease has ended with it, or is about to as nobody renews it any more: it must not become a hold. */
    void leaseEnded(long one) {
        if (lease == one && stands()) {
            // Should it have been moved by a request whose answer is still to come, it is removed.
            giveUp(new LockLostException("the lease of the entry " + key + " ended before it was moved to another"));
        } else if (lease == one && state == State.DOUBT) {
            fail(
                    new CoordinationException(
                            "cannot see whether " + line
                                    + " was joined, and the lease with which that was asked for has ended; the line may be joined again"));
        }
    }

    void start() {
        if (state != State.ABSENT) {
            return;
        }
        if (leaving) {
            close();
        } else {
            joining.send();
        }
    }

    @Override
    public CompletionStage<Void> leave() {
        if (!leaving) {
            leaving = true;
            dropOut();
            switch (state) {
                case ABSENT -> close();
                case STANDING, CLEAR -> delete();
                case JOINING, DOUBT, CLOSED -> {} // once it is known whether there is an entry
            }
        }
        return left;
    }

    /** The session is over, and the entry with it. */
    void sessionLost(CoordinationException why) {
        if (state != State.CLOSED) {
            notifyLost(why);
            closeWithSession();
        }
    }

    /** The entry is not there, and its session is. */
    void missing() {
        if (state != State.CLOSED) {
            fail(new LockLostException("the entry " + key + " was removed by somebody else"));
        }
    }

    /**
     * The server does not tell whether the entry stands, and goes on refusing. Whoever holds was promised up to a time to
     * live a moment ago, and may not be able to stop at once: for so long the entry keeps the next one out.
     */
    void unreadable(Fault fault) {
        if (state == State.CLOSED || leaving) {
            return;
        }
        CoordinationException why = Errors.of("cannot look at " + key, fault);
        if (state == State.CLEAR) {
            notifyLost(why);
            outlivesHold = true;
            session.loop().after(session.timeout(), this::delete);
        } else {
            giveUp(why);
        }
    }

    /** Entries that are known to have been removed. */
    void removed(Collection<Compare.Created> entries) {
        boolean known = state == State.STANDING || state == State.CLEAR;
        if (known && entries.contains(new Compare.Created(key, token))) {
            fail(new LockLostException("the entry " + key + " was removed"));
        }
    }

    /** Whether it looks at the line by itself: it stands, and no entry of this session stands ahead. */
    private boolean readsLine() {
        return state == State.STANDING && !leaving && ownEntries.isFirst(this);
    }

    /** What an audit has to read of a place that waits: the own key, and those that have to go first. */
    List<String> auditedKeys() {
        if (state != State.STANDING || leaving) {
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

    /** The audited keys as a read in passing has found them, and when they were created. */
    void audit(Map<String, Long> entries) {
        if (state != State.STANDING || leaving) {
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
            if (stands) {
                ahead.stream()
                        .filter(other -> !aheadOfUs(entries, other))
                        .limit(1)
                        .forEach(this::eventMissed);
            }
            following.leave(this);
            gap();
        }
    }

    /** An audit has found that this one has gone. A read that is under way would have found it as well. */
    private void eventMissed(String other) {
        if (!reading && !listing.queued()) {
            session.lostEvents().found(other);
        }
    }

    /** The audit was refused: if the line may not be read any more, the read of it tells so. */
    void auditRefused() {
        list();
    }

    /** An entry of this session stands ahead: it is left to that one to look. */
    void ownEntryAhead() {
        if (state == State.STANDING) {
            unwatch();
            following.leave(this);
            ahead.clear();
            checkWithHeartbeat(false);
            if (!leaving) {
                notifyWaiting(); // what it was about to read would have told it
            }
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

    /** Not who has gone and come back under the same key. */
    private boolean aheadOfUs(Map<String, Long> entries, String other) {
        return entries.getOrDefault(other, Long.MAX_VALUE) < token;
    }

    @Override
    public void armed() {
        list();
    }

    @Override
    public void predecessorRemoved() {
        if (predecessor != null) {
            session.predecessorWatches().add(prefix, predecessor);
            predecessor = null;
        }
        list();
    }

    @Override
    public void unwatched() {
        predecessor = null;
        onReconnect(this::list);
    }

    @Override
    public void removed(Set<String> keys) {
        if (state != State.STANDING || leaving) {
            return;
        }
        if (keys.contains(key)) {
            // By somebody, or with the session: the answer to a read tells which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.removeAll(keys) && ahead.isEmpty()) {
            clear();
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
        state = State.JOINING;
        attempts++;
        key = session.entryKeys().take(prefix).orElseGet(() -> prefix + session.newEntry());
        following = session.followings().of(prefix);
        following.joining();
        long stream = following.stream();
        var then = new ArrayList<Request>();
        // What this session has left, and may not have gone yet, is not to be waited for.
        var leavers = new LinkedHashMap<PendingRemovals.Leaver, Boolean>();
        for (PendingRemovals.Leaver old : joinsOnly
                ? List.<PendingRemovals.Leaver>of()
                : session.pendingRemovals().of(prefix)) {
            then.add(new Delete(old.key()));
            leavers.put(old, old.joinSending());
        }
        lease = session.lease();
        then.add(new Put(key, payload, lease));
        boolean reads = ownEntries.joinReads(prefix);
        if (reads) {
            then.add(Range.newest(prefix, 1 + wanted(stream), 0));
        }
        ownEntries.joining(prefix);
        List<Compare> ifs = List.of(session.epoch(), new Compare.Created(key, 0));
        var otherwise = List.<Request>of(Range.presence(session.ownKey()));
        turn.txn(new Txn(ifs, then, otherwise), (fault, result) -> {
            ownEntries.joined(prefix);
            PendingRemovals.Piggyback outcome = joinOutcome(fault, result);
            leavers.forEach((old, relied) -> old.joinDone(outcome, relied));
            if (state != State.JOINING) {
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
                    following.joined((int) line.count() - 1);
                    stand(others(line), stream, token);
                }
            } else {
                state = State.ABSENT;
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
        state = State.STANDING;
        ownEntries.add(this);
        if (leaving) {
            delete();
        }
    }

    /** The entry stands; who is ahead was not read with it. */
    private void standOrWait() {
        if (readsLine()) {
            list();
        } else if (state == State.STANDING && !leaving) {
            notifyWaiting();
        }
    }

    private void notJoined(Fault fault, boolean withRemovals) {
        switch (fault.code()) {
            case TOO_LARGE -> {
                if (withRemovals) {
                    joinsOnly = true;
                    state = State.ABSENT;
                    start();
                } else {
                    fail(Errors.of("cannot join " + line, fault));
                }
            }
            case LOST -> resolveDoubt();
            case NO_LEASE -> {
                state = State.ABSENT;
                session.verify();
                retry(fault);
            }
            case OVERLOADED -> {
                state = State.ABSENT;
                retry(fault);
            }
            case NO_SPACE -> {
                state = State.DOUBT;
                resolve(() -> fail(Errors.of("cannot join " + line, fault)));
            }
            default -> fail(Errors.of("cannot join " + line, fault));
        }
    }

    private void retry(Fault fault) {
        if (attempts < MAX_ATTEMPTS) {
            session.retryLater(attempts, this::start);
        } else {
            fail(Errors.of("cannot join " + line, fault));
        }
    }

    private void resolveDoubt() {
        state = State.DOUBT;
        session.settle(() -> resolve(this::startAnew));
    }

    /** Whatever was on its way cannot be applied any more: what a read shows is final. */
    private void resolve(Runnable otherwise) {
        ifAbsent = otherwise;
        resolving.send();
    }

    private void resolve(Sender turn) {
        turn.txn(Txn.read(Range.presence(key)), (fault, result) -> {
            if (state != State.DOUBT) {
                return;
            }
            if (result == null) {
                resolveAgain(fault);
                return;
            }
            inDoubt.resolved();
            var entry = result.parts().get(0).first();
            if (entry.isPresent()) {
                lease = entry.get().lease();
                entered(entry.get().created());
                standOrWait();
            } else {
                ifAbsent.run();
            }
        });
    }

    private void resolveAgain(Fault fault) {
        if (fault.code() != EtcdWire.Code.LOST) {
            inDoubt.refused("etcd says " + fault.message() + "; it goes on trying");
        }
        onReconnect(resolving::send);
    }

    private void startAnew() {
        state = State.ABSENT;
        if (attempts < MANY_ATTEMPTS) {
            start();
        } else {
            session.retryLater(attempts, this::start);
        }
    }

    /** Reads who is nearest ahead, and whether our own entry still stands. */
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
        long stream = following.stream();
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
        return List.of(
                Range.presence(session.ownKey()), Range.presence(key), Range.newest(prefix, wanted(stream), token - 1));
    }

    private void listed(Fault fault, @Nullable Result result, long stream) {
        if (result == null) {
            unwatch();
            if (fault.code() == EtcdWire.Code.LOST || fault.code() == EtcdWire.Code.OVERLOADED) {
                onReconnect(this::list);
            } else {
                giveUp(Errors.of("cannot wait in " + line, fault));
            }
        } else if (!session.ownKeyRead(result.parts().get(0))) {
            return; // the session is over, and has told so
        } else if (!stands(result.parts().get(1))) {
            missing();
        } else {
            session.heartbeatRequests().seen(this);
            stand(result.parts().get(2).kvs(), stream, result.header().revision());
        }
    }

    private boolean stands(Part own) {
        return own.first().map(entry -> entry.created() == token).orElse(false);
    }

    private List<Kv> others(Part line) {
        return line.kvs().stream().filter(entry -> entry.created() < token).toList();
    }

    /** How many of those ahead to ask for: two tell whether the nearest is the only one. */
    private static int wanted(long stream) {
        return stream == Following.NONE ? 2 : Following.NOT_TOO_LONG + 1;
    }

    /** Behind these, the nearest first, as of this revision. */
    private void stand(List<Kv> others, long stream, long revision) {
        if (others.isEmpty()) {
            clear();
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
        notifyWaiting();
        if (leaving) {
            return;
        }
        var names = new HashSet<String>();
        others.forEach(other -> names.add(other.key()));
        // Who was ahead by an earlier answer may have gone before this one, and will not be told any more.
        ahead.clear();
        if (stream != Following.NONE && following.follow(this, key, stream, revision, names)) {
            ahead.addAll(names);
            checkWithHeartbeat(ahead.size() == 1);
            if (ahead.isEmpty()) {
                clear();
            }
        } else {
            following.leave(this);
            watch(nearest, revision);
        }
    }

    private void notifyWaiting() {
        if (!waitingNotified) {
            waitingNotified = true;
            to.waiting();
        }
    }

    private void watch(Kv nearest, long revision) {
        Optional<PredecessorWatch> kept = session.predecessorWatches().take(prefix, nearest);
        predecessor = kept.orElseGet(() -> PredecessorWatch.on(session.wire(), nearest, this));
        if (kept.isPresent() && !kept.get().reuse(nearest, revision, this)) {
            predecessorRemoved();
        }
    }

    private void clear() {
        unwatch();
        state = State.CLEAR;
        following.leave(this);
        checkWithHeartbeat(true);
        String name = key.substring(prefix.length());
        to.clear(new Entry(new Peer(line, name, token), token, payload, session.id()));
    }

    private void unwatch() {
        if (predecessor != null) {
            predecessor.close();
            predecessor = null;
        }
    }

    /** Our entry stands, but we cannot stay: it goes, and the contender is told why. */
    private void giveUp(CoordinationException why) {
        if (!leaving) {
            to.lost(why);
            leave();
        } else {
            delete();
        }
    }

    private void delete() {
        outlivesHold = false;
        if ((state == State.STANDING || state == State.CLEAR) && removal == Removal.NONE) {
            removal = Removal.DUE;
            session.pendingRemovals().add(prefix, this);
            if (ownEntries.next(this).isPresent()) {
                removing.send();
            } else {
                // Not at once: a join that is asked for in the same breath takes it along.
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
        if (state == State.CLOSED) {
            releaseKey();
        } else if (how == PendingRemovals.Piggyback.REMOVED) {
            close();
        } else if (relied) {
            removal = Removal.NONE;
            delete();
        }
    }

    /** What the next one of this session has to read is read with it, behind the removal. */
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
                close(next != null && result.met() ? LineRead.behindRemoval(next, result, stream) : null);
            } else if (fault.code() == EtcdWire.Code.OVERLOADED) {
                refusedRemoval.refused("etcd says " + fault.message());
                session.retryLater(MAX_ATTEMPTS, this::delete);
            } else if (fault.code() != EtcdWire.Code.LOST) {
                if (next == null) {
                    removalRefused(fault);
                } else {
                    removesOnly = true; // perhaps the entry may be removed, and the line not be read
                    delete();
                }
            } else {
                onReconnect(this::delete);
            }
        });
    }

    /** It may be allowed later: who leaves is told, and it goes on, ever more slowly. */
    private void removalRefused(Fault fault) {
        if (state == State.CLOSED) {
            return;
        }
        refusals++;
        if (refusals == RepeatedRefusal.MANY) {
            CoordinationException why = Errors.of("cannot remove " + key, fault);
            left.completeExceptionally(why);
            session.refusedRemovals().add();
        }
        refusedRemoval.refused("etcd says " + fault.message());
        session.loop().after(Pauses.afterRefusals(refusals, session.loop()), this::delete);
    }

    private void onReconnect(Runnable task) {
        session.onReconnect(() -> state != State.CLOSED, task);
    }

    /** Told later, as nobody is told anything from within a call. */
    private void refuseToJoin(CoordinationException why) {
        session.loop().execute(() -> fail(why));
    }

    /** There is no entry, and will be none. */
    private void fail(CoordinationException why) {
        if (state != State.CLOSED) {
            notifyLost(why);
            close();
        }
    }

    private void notifyLost(CoordinationException why) {
        if (!leaving) {
            leaving = true;
            dropOut();
            to.lost(why);
        }
    }

    private void close() {
        close(null);
    }

    /** There is no entry; {@code read} is what was read for the next one of this session, once it had gone. */
    private void close(@Nullable LineRead read) {
        if (state == State.CLOSED) {
            return;
        }
        session.pendingRemovals().remove(prefix, this);
        keySpent = state == State.STANDING || state == State.CLEAR;
        state = State.CLOSED;
        releaseKey();
        if (refusals >= RepeatedRefusal.MANY) {
            session.refusedRemovals().remove();
        }
        refusedRemoval.resolved();
        inDoubt.resolved();
        session.placeClosed(this);
        ownEntries.remove(this, read);
        left.complete(null);
    }

    private void releaseKey() {
        if (keySpent && joinsUnderWay == 0 && !keyInDoubt) {
            keySpent = false;
            session.entryKeys().release(prefix, key);
        }
    }

    /** As {@link #close}, once the session is certain to have ended. */
    private void closeWithSession() {
        state = State.CLOSED;
        session.placeClosed(this);
        session.ended().whenComplete((done, unknown) -> {
            if (unknown == null) {
                left.complete(null);
            } else {
                left.completeExceptionally(unknown);
            }
        });
    }

    /** Neither waits nor holds any more. */
    private void dropOut() {
        unwatch();
        following.leave(this);
        ahead.clear();
        checkWithHeartbeat(false);
    }

    /** Whether heartbeats look at the entry, as of a hold and of the next in line. */
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
