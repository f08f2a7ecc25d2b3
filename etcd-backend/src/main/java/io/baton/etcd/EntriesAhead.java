package io.baton.etcd;

import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Sender;
import io.baton.etcd.wire.Errors;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.Claim;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.PlaceLife;
import io.baton.spi.support.PlaceMachine.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries ahead of a place that conflict with its claim. Reads them, and waits until there is none.
 *
 * <p>Without an entry ahead, the place is clear. Otherwise it {@link PredecessorWatch watches} its predecessor, and reads
 * the line again once that entry has gone. In a {@link Following followed} line, as one with few entries ahead is, it
 * needs neither watch nor read.
 *
 * <p>In a line of readers and writers, it waits for the entries that conflict with its claim. A reader reads the
 * writers ahead with their values, as the last of them may be downgraded.
 *
 * <p>Behind an entry of its own session, a place in a mutex's line does nothing. Once that entry has certainly gone, and
 * none of the {@link OwnEntries} stands ahead any more, it reads the line. On the loop.
 */
final class EntriesAhead implements PredecessorWatch.Waiter, Following.Follower {

    /** With so many entries ahead or fewer, a place follows the line, however seldom that is used. */
    private static final int FEW_AHEAD = 3;

    private final EtcdSession session;
    private final LinePlace place;
    private final PlaceLife life;
    private final Claim claim;
    /** How the keys begin of the entries that conflict with the claim. */
    private final String conflicting;

    private final RequestWindow.Request listing;

    private Following following;
    /** The entry waited for, if it is watched. */
    private @Nullable PredecessorWatch predecessor;
    /** Whether the line was to be followed for this place, which is done once. */
    private boolean askedToFollow;
    /** In a followed line: all entries ahead that have not gone by the events. */
    private final Set<String> ahead = new HashSet<>();

    private boolean reading;
    // An event since then may be missing from the read in flight.
    private boolean readAgain;

    EntriesAhead(EtcdSession session, LinePlace place, PlaceLife life, Claim claim) {
        this.session = session;
        this.place = place;
        this.life = life;
        this.claim = claim;
        this.conflicting = place.prefix() + EntryNames.conflicting(place.line().kind(), claim);
        this.following = session.followings().of(place.prefix());
        this.listing = session.window().request(place.prefix(), Priority.HIGH, this::readsLine, this::list);
    }

    /** The place is about to join. Returns the stream of the line's events that is open or being opened. */
    long joining() {
        following = session.followings().of(place.prefix());
        if (!place.mutex()) {
            return Following.NONE;
        }
        following.joining();
        return following.stream();
    }

    /** What a join reads with its write. */
    Request readWithJoin(long stream) {
        return nearest(1 + wanted(stream), 0);
    }

    /** The entry stands, and this was read with it. */
    void joined(Part read, long stream) {
        if (!readsLine()) {
            find();
            return;
        }
        if (place.mutex()) {
            following.joined((int) read.count() - 1);
        }
        stand(others(read), stream, place.token());
    }

    /** The stream of the line's events that is open, if the place waits by it. */
    long stream() {
        return following.stream();
    }

    /** The place is clear: events of others do not matter any more. */
    void cleared() {
        unwatch();
        following.leave(this);
    }

    /** The place waits no more, or leaves it to an entry of its session ahead. */
    void stop() {
        cleared();
        ahead.clear();
    }

    /** Whether this place must read the line: it stands, and no entry of this session stands ahead. */
    private boolean readsLine() {
        return life.waits() && session.ownEntries().isFirst(place);
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
        keys.add(place.key());
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
        boolean stands = entries.getOrDefault(place.key(), 0L) == place.token();
        if (!stands && !readsLine()) {
            place.missing();
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
            stop();
            place.checkWithHeartbeat(false);
            life.behind(); // the read that is dropped here would have notified the listener
        }
    }

    /** No entry of this session stands ahead any more. */
    void ownEntryAheadRemoved(@Nullable LineRead read) {
        if (read != null && read.of() == place && readsLine() && !reading) {
            listed(Fault.NONE, read.result(), read.stream());
        } else {
            list();
        }
    }

    /** False for an entry that has gone and come back under the same key. */
    private boolean aheadOfUs(Map<String, Long> entries, String other) {
        return entries.getOrDefault(other, Long.MAX_VALUE) < place.token();
    }

    @Override
    public void armed() {
        list();
    }

    @Override
    public void predecessorRemoved() {
        if (predecessor != null && place.mutex()) {
            session.predecessorWatches().add(place.prefix(), predecessor);
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
    public void unwatched() {
        predecessor = null;
        place.onReconnect(this::list);
    }

    @Override
    public void removed(Set<String> keys) {
        if (!life.waits()) {
            return;
        }
        if (keys.contains(place.key())) {
            // Deleted by another client, or with the session: a read's answer shows which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.removeAll(keys) && ahead.isEmpty()) {
            life.first();
        } else {
            place.checkWithHeartbeat(ahead.size() == 1);
        }
    }

    @Override
    public void gap() {
        ahead.clear();
        if (session.inContact()) {
            list();
        } else {
            place.onReconnect(this::list);
        }
    }

    /** The entry stands, but the entries ahead were not read with it. */
    void find() {
        if (readsLine()) {
            list();
        } else {
            life.behind();
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

    List<Request> lineReads(long stream) {
        return List.of(
                Range.presence(session.ownKey()),
                Range.presence(place.key()),
                nearest(wanted(stream), place.token() - 1));
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
                place.onReconnect(this::list);
            } else {
                life.stuck(Errors.of("cannot wait in " + place.line(), fault));
            }
        } else if (!session.ownKeyRead(result.parts().get(0))) {
            return; // the session has ended, and its listeners have been notified
        } else if (!stands(result.parts().get(1))) {
            place.missing();
        } else {
            session.heartbeatRequests().seen(place);
            stand(others(result.parts().get(2)), stream, result.header().revision());
        }
    }

    private boolean stands(Part own) {
        return own.first().map(entry -> entry.created() == place.token()).orElse(false);
    }

    /** The entries that conflict with this one, the nearest first. */
    private List<Kv> others(Part line) {
        List<Kv> ahead = line.kvs().stream()
                .filter(entry -> entry.created() < place.token())
                .toList();
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
        place.checkWithHeartbeat(others.size() == 1);
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
        if (stream != Following.NONE && following.follow(this, place.key(), stream, revision, names)) {
            ahead.addAll(names);
            place.checkWithHeartbeat(ahead.size() == 1);
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
                place.mutex() ? session.predecessorWatches().take(place.prefix(), nearest) : Optional.empty();
        predecessor = kept.orElseGet(() -> claim.equals(Claim.SHARED)
                ? PredecessorWatch.onWrites(session.wire(), nearest, this)
                : PredecessorWatch.on(session.wire(), nearest, this));
        if (kept.isPresent() && !kept.get().reuse(nearest, revision, this)) {
            predecessorRemoved();
        }
    }

    private void unwatch() {
        if (predecessor != null) {
            predecessor.close();
            predecessor = null;
        }
    }
}
