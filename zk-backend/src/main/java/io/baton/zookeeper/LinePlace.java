package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One contender's place in a line.
 *
 * <p>Joining is a create and a listing, sent back to back on one connection, so the listing shows the entry: one round
 * trip. If nobody stands ahead the place is clear; otherwise the nearest one ahead is watched, and when it has gone one
 * listing tells who is nearest now. In a line that is {@link Following followed}, neither watch nor listing is needed.
 * Behind an entry of the own session neither a watch is needed, nor a listing once that has been first and gone; see
 * docs/decisions/0026-many-waiters-on-zookeeper.md.
 * An entry whose creation got no answer is looked for by its id, which was chosen before: a quorum commit first, so that
 * nothing of it can still be on its way, then a listing.
 */
final class LinePlace implements Place, Watches.Waiter, Following.Follower, OwnEntries.Successor, LineListings.Taker {

    private enum State {
        /** Nothing sent, or known to have had no effect. */
        ABSENT,
        /** The create is under way. */
        JOINING,
        /** The create may have been applied. */
        DOUBT,
        /** The entry is in the line; others stand ahead, or that is being found out. */
        STANDING,
        /** Nobody stands ahead. */
        CLEAR,
        /** The entry is gone, or will be with its session. */
        CLOSED
    }

    private static final int MAX_ATTEMPTS = 20;

    private final ZkSession session;
    private final Line line;
    private final Naming naming;
    private final byte[] payload;
    private final PlaceListener to;
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private final RequestWindow.Turn joining;
    private final RequestWindow.Turn removing;

    private State state = State.ABSENT;
    private Following following;
    private boolean leaving;
    private boolean waitingNotified;
    private boolean needsProof;
    private boolean askedForLine;
    private boolean madeLine;
    private int attempts;
    private final RepeatedRefusal inDoubt;
    private final RepeatedRefusal refusedRemoval;
    private int refusals;
    private String prefix = "";
    private @Nullable EntryName mine;
    private long token;
    private long order;
    // Who is waited for: the nearest one ahead, or all of them, as the stream of events has left them.
    private @Nullable String predecessor;
    private final Set<String> ahead = new HashSet<>();
    /** Whether one of ours was ahead and has gone, though nobody has given it back. */
    private boolean ownRemovedAhead;

    private boolean numbered;
    private int asked;

    LinePlace(ZkSession session, Line line, byte[] payload, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.naming = Naming.of(line.dialect());
        this.payload = payload;
        this.to = to;
        this.following = session.followings().of(linePath());
        this.joining = session.joins().turn(linePath(), this::begin);
        this.removing = session.removals().turn(linePath(), this::remove);
        this.inDoubt = session.repeatedRefusal(() -> "Cannot see whether an entry " + path(prefix) + "... was made");
        this.refusedRemoval = session.repeatedRefusal(
                () -> "Cannot remove the entry " + path(name()) + ", which has been left: others wait behind it");
    }

    Line line() {
        return line;
    }

    String linePath() {
        return session.address().path(line.path());
    }

    /** The full path of the entry; only of a place that is clear. */
    String entryPath() {
        return path(name());
    }

    /** How the path of an entry begins that stands in the line, or may do so; empty if there is none. */
    Optional<String> entryPrefix() {
        boolean none = state == State.ABSENT || state == State.CLOSED;
        return none ? Optional.empty() : Optional.of(path(prefix));
    }

    /** Whether it has been left, and its entry is being removed. */
    boolean isReleased() {
        return leaving && state == State.CLEAR;
    }

    /**
     * How many entries the line had had once this place's was made; 0 if none was made, though perhaps the line. Empty if
     * nothing was sent, or if the numbers no longer tell.
     */
    OptionalInt made() {
        if (mine != null) {
            return mine.numbered() ? OptionalInt.of((int) mine.sequence() + 1) : OptionalInt.empty();
        }
        return attempts > 0 || askedForLine ? OptionalInt.of(0) : OptionalInt.empty();
    }

    /** Whether the line's node was made for this place. */
    boolean madeLine() {
        return madeLine;
    }

    void start() {
        if (state != State.ABSENT) {
            return;
        }
        if (leaving) {
            close();
        } else if (joining.running()) {
            begin();
        } else {
            joining.enqueue();
        }
    }

    /** Its turn to join: if nothing is known of the line, a look at its length comes first. */
    private void begin() {
        if (!session.connected()) {
            onReconnect(this::start);
        } else if (state == State.ABSENT && !leaving) {
            session.refusedRemovals()
                    .refusal(line)
                    .ifPresentOrElse(
                            this::refuseToJoin, () -> session.lengths().withLength(linePath(), this::lengthKnown));
        }
    }

    private void lengthKnown(Code code, int length) {
        if (state != State.ABSENT || leaving) {
            return;
        }
        CoordinationException tooLong = session.lengths().tooLongToJoin(linePath(), length);
        if (tooLong != null) {
            fail(tooLong);
        } else if (Errors.passes(code)) {
            onReconnect(this::start);
        } else if (code == Code.NONODE) {
            makeLine();
        } else {
            create(); // also if the line may not be read: the listing will tell
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

    /** A check made with the heartbeat did not find the entry. */
    void missing() {
        if (state != State.CLOSED) {
            fail(new LockLostException("the entry " + path(name()) + " was removed by somebody else"));
        }
    }

    /** The entry is known to have been removed. */
    void removed() {
        if (state == State.STANDING || state == State.CLEAR) {
            fail(new LockLostException("the entry " + path(name()) + " was removed"));
        }
    }

    /** Whether its entry is in the line, and nobody has given it back. */
    boolean isWanted() {
        return (state == State.STANDING || state == State.CLEAR) && !leaving;
    }

    /** Whether it stands behind others, and waits for them to go. */
    boolean isWaiting() {
        return state == State.STANDING && !leaving;
    }

    /** The entries that are in the line as far as this place has been told: the own one, and those it waits for. */
    List<String> expected() {
        var names = new ArrayList<>(ahead);
        names.add(name());
        if (predecessor != null) {
            names.add(predecessor);
        }
        return names;
    }

    /** An audit, made to catch what the server failed to tell, has found which entries have gone. */
    void audit(Predicate<String> gone) {
        if (!isWaiting()) {
            return;
        }
        boolean own = gone.test(name());
        Optional<String> lost = ahead.stream().filter(gone).findFirst();
        if (predecessor != null && (own || gone.test(predecessor))) {
            if (!own) {
                session.lostEvents().predecessorRemoved(path(predecessor));
            }
            unwatch();
            list();
        } else if (!ahead.isEmpty() && (own || lost.isPresent())) {
            if (!own) {
                session.lostEvents().followedRemoved(path(lost.get()));
            }
            following.gap();
        }
    }

    /** What this place rests on may no longer be read, so the end of its wait would not be told. */
    void unreadable(String path) {
        if (isWaiting()) {
            giveUp(Errors.of("cannot wait in " + line, Code.NOAUTH, path));
        }
    }

    @Override
    public void deleted() {
        predecessor = null;
        list();
    }

    @Override
    public void unwatched() {
        predecessor = null;
        onReconnect(this::list);
    }

    @Override
    public void unreadable() {
        String ahead = predecessor == null ? linePath() : path(predecessor);
        predecessor = null;
        unreadable(ahead);
    }

    @Override
    public void predecessorRemoved(boolean wasFirst) {
        predecessor = null;
        if (wasFirst) {
            confirm();
        } else {
            list();
        }
    }

    /**
     * The last one ahead has gone, as nothing stood ahead of it, and nothing but it between that and us. A read that was
     * sent after that has to show that we still stand.
     */
    private void confirm() {
        if (state != State.STANDING || leaving) {
            return;
        }
        session.wire().read(path(name()), (code, node) -> {
            if (state != State.STANDING || leaving) {
                return;
            }
            if (code == Code.OK && node != null && node.czxid() == token) {
                clear();
            } else if (Errors.passes(code)) {
                onReconnect(this::list);
            } else {
                list();
            }
        });
    }

    @Override
    public void removed(String name) {
        if (state != State.STANDING || leaving) {
            return;
        }
        if (name.equals(name())) {
            // By somebody, or with the session: the answer to a listing tells which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.remove(name)) {
            needProof(ahead.size() == 1);
            ownRemovedAhead |= session.ownEntries().stands(path(name));
            if (ahead.isEmpty() && ownRemovedAhead) {
                // Perhaps the session is being ended, and we with it.
                following.leave(this);
                list();
            } else if (ahead.isEmpty()) {
                clear();
            }
        }
    }

    @Override
    public void gap() {
        ahead.clear();
        if (session.connected()) {
            list();
        } else {
            onReconnect(this::list);
        }
    }

    private void create() {
        state = State.JOINING;
        attempts++;
        prefix = naming.prefix(
                Naming.id(session.loop().randomLong(), session.loop().randomLong()));
        session.tree().checkAcl(line.path(), this::giveUp);
        following = session.followings().of(linePath());
        following.joining();
        long sent = session.loop().nanoTime();
        session.wire().create(path(prefix), payload, CreateMode.EPHEMERAL_SEQUENTIAL, (code, node) -> {
            joining.written(code, sent);
            if (code == Code.OK && node != null) {
                entered(node);
            } else {
                notEntered(code);
            }
        });
        requestListing();
    }

    private void entered(ZkWire.Node node) {
        mine = ownName(node.path());
        token = node.czxid();
        state = State.STANDING;
        inDoubt.resolved();
        session.ownEntries().add(path(name()), this);
        if (leaving) {
            delete();
        } else if (asked == 0) {
            list(); // what was asked for with the join has been answered too early
        }
    }

    private void notEntered(Code code) {
        if (code == Code.CONNECTIONLOSS) {
            state = State.DOUBT;
            onReconnect(this::resolve);
        } else if (code == Code.THROTTLEDOP) {
            attempts--;
            state = State.ABSENT;
            onReconnect(this::start);
        } else if (code == Code.NONODE && attempts < MAX_ATTEMPTS) {
            state = State.ABSENT;
            makeLine();
        } else {
            fail(Errors.of("cannot join " + line, code, line.path()));
        }
    }

    private void makeLine() {
        askedForLine = true;
        session.tree().makeLine(line.path(), this::lineMade);
    }

    private void lineMade(Code code) {
        madeLine |= code == Code.OK;
        if (state == State.CLOSED) {
            session.placeClosed(this); // left meanwhile, and the line with it
        } else if (code == Code.NOAUTH || code == Code.QUOTAEXCEEDED) {
            fail(Errors.of("cannot join " + line, code, linePath()));
        } else {
            session.retryLater(Math.max(0, attempts - 1), this::start);
        }
    }

    /** Finds out whether the entry exists: what was on its way is settled by a commit after it. */
    private void resolve() {
        if (state != State.DOUBT) {
            return;
        }
        Code[] commit = {Code.CONNECTIONLOSS};
        session.wire().multi(session.tree().rootCheck(), (code, at) -> commit[0] = code);
        session.listings().list(linePath(), new LineListings.Taker() {
            @Override
            public void listed(Code code, @Nullable Listing listing) {
                if (state != State.DOUBT) {
                    return;
                } else if (!answers(commit[0])) {
                    resolveAgain(commit[0]);
                } else if (!answers(code)) {
                    resolveAgain(code);
                } else {
                    resolved(listing);
                }
            }

            @Override
            public void tooLong(CoordinationException why) {
                unresolved(why);
            }
        });
    }

    private static boolean answers(Code code) {
        return code == Code.OK || code == Code.NONODE;
    }

    private void resolveAgain(Code code) {
        if (code != Code.CONNECTIONLOSS) {
            inDoubt.refused("ZooKeeper says " + code + "; it goes on trying");
        }
        onReconnect(this::resolve);
    }

    private void resolved(@Nullable Listing listing) {
        if (listing != null) {
            for (String name : listing.names()) {
                if (name.startsWith(prefix)) {
                    readOwn(name, listing);
                    return;
                }
            }
        }
        absent();
    }

    private void absent() {
        inDoubt.resolved();
        state = State.ABSENT;
        start();
    }

    /** Whether the entry is there cannot be told before the line is shorter; it is removed then. */
    private void unresolved(CoordinationException why) {
        if (state == State.DOUBT) {
            notifyLost(why);
            joining.finish();
            session.retryLater(MAX_ATTEMPTS, this::resolve);
        }
    }

    private void readOwn(String name, Listing listing) {
        session.tree().checkAcl(line.path(), this::giveUp);
        session.wire().read(path(name), (code, node) -> {
            if (code == Code.OK && node != null && node.owner() == session.number()) {
                entered(node);
                if (state == State.STANDING && !leaving) {
                    stand(listing, Following.NONE); // the read took time, in which nothing was told
                }
            } else if (code == Code.OK || code == Code.NONODE) {
                // Somebody else's, or gone again: there is no entry of ours.
                absent();
            } else {
                resolveAgain(code);
            }
        });
    }

    private void list() {
        if (state == State.STANDING && !leaving) {
            requestListing();
        }
    }

    private void requestListing() {
        asked++;
        session.listings().list(linePath(), this);
    }

    @Override
    public void listed(Code code, @Nullable Listing listing) {
        asked--;
        handleListing(code, listing);
    }

    private void handleListing(Code code, @Nullable Listing listing) {
        if (state != State.STANDING || leaving) {
            return;
        }
        joining.finish();
        if (code == Code.OK && listing != null) {
            stand(listing, listing.stream(following));
        } else if (Errors.passes(code)) {
            onReconnect(this::list);
        } else if (code == Code.NONODE) {
            missing();
        } else {
            giveUp(Errors.of("cannot list " + line, code, line.path()));
        }
    }

    @Override
    public void tooLong(CoordinationException why) {
        asked--;
        if (state == State.STANDING && !leaving) {
            giveUp(why);
        }
    }

    private void stand(Listing listing, long stream) {
        if (!listing.names().contains(name())) {
            missing();
            return;
        }
        LineListing ordered;
        try {
            ordered = listing.ordered(naming);
        } catch (ForeignEntryException foreign) {
            giveUp(foreign.withContext("cannot stand in " + line));
            return;
        }
        numbered = ordered.numbered();
        if (numbered) {
            order = own().sequence();
            standBehind(ordered.ahead(own()), stream);
        } else {
            session.czxidOrder().order(linePath(), ordered.entries(), this::ordered);
        }
    }

    /** The order by the transactions that made the entries, where the sequence numbers no longer tell it. */
    private void ordered(@Nullable Code failed, List<CzxidOrder.Born> born, boolean complete) {
        if (state != State.STANDING || leaving) {
            return;
        }
        if (failed != null) {
            handleListing(failed, null);
            return;
        }
        List<String> ahead = born.stream()
                .filter(other -> other.czxid() < token)
                .map(CzxidOrder.Born::name)
                .toList();
        numbered = false;
        order = token;
        if (ahead.isEmpty() && !complete) {
            list(); // somebody has gone since the listing: what it says of us is older than that
        } else {
            standBehind(ahead, Following.NONE);
        }
    }

    /** Behind these, the nearest last. */
    private void standBehind(List<String> others, long stream) {
        if (!waitingNotified) {
            following.joined(others.size());
        }
        if (others.isEmpty()) {
            clear();
            return;
        }
        needProof(others.size() == 1);
        if (!waitingNotified) {
            waitingNotified = true;
            to.waiting();
        }
        if (leaving) {
            return;
        }
        if (following.follow(this, stream, others.size())) {
            ownRemovedAhead = false;
            ahead.addAll(others);
        } else {
            waitFor(others.get(others.size() - 1));
        }
    }

    /** For this one, which is the nearest ahead, to go. */
    private void waitFor(String nearest) {
        predecessor = nearest;
        if (!(numbered && session.ownEntries().await(path(nearest), this))) {
            session.watches().add(path(nearest), this);
        }
    }

    private void clear() {
        state = State.CLEAR;
        session.audit().lineMoved(line);
        following.leave(this);
        needProof(true);
        session.heartbeatRequests().check(this);
        to.clear(new Entry(new Peer(line, name(), order), token, payload, session.id()));
        joining.finish(); // a join that was in doubt has listed, too, and needs no more room
    }

    private void unwatch() {
        if (predecessor != null) {
            session.ownEntries().forget(path(predecessor), this);
            session.watches().remove(path(predecessor), this);
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
        if (state == State.CLEAR) {
            removing.enqueueFirst(); // others wait for that
        } else if (state == State.STANDING) {
            joining.finish();
            removing.enqueue();
        }
    }

    private void remove() {
        long sent = session.loop().nanoTime();
        session.wire().delete(path(name()), (code, nothing) -> {
            removing.written(code, sent);
            removing.finish();
            if (code == Code.OK || code == Code.NONODE) {
                close();
            } else if (Errors.refuses(code)) {
                checkStands(code);
            } else {
                if (code != Code.CONNECTIONLOSS) {
                    refusedRemoval.refused("ZooKeeper says " + code);
                }
                onReconnect(this::delete);
            }
        });
    }

    /** Servers judge a deletion by the line's ACL before they look whether there is anything to delete. */
    private void checkStands(Code refusal) {
        session.wire().read(path(name()), (code, node) -> {
            if (code == Code.NONODE) {
                close();
            } else {
                removalRefused(refusal);
            }
        });
    }

    /** It may be allowed later: who leaves is told, and it goes on, ever more slowly. */
    private void removalRefused(Code code) {
        if (state == State.CLOSED) {
            return;
        }
        refusals++;
        if (refusals == RepeatedRefusal.MANY) {
            CoordinationException why = Errors.of("cannot remove an entry that has been left", code, path(name()));
            left.completeExceptionally(why);
            session.refusedRemovals().add();
        }
        refusedRemoval.refused("ZooKeeper says " + code);
        session.loop().after(Pauses.afterRefusals(refusals, session.loop()), this::delete);
    }

    private void onReconnect(Runnable task) {
        session.onReconnect(() -> state != State.CLOSED, task);
    }

    private void notifyLost(CoordinationException why) {
        if (!leaving) {
            leaving = true;
            dropOut();
            to.lost(why);
        }
    }

    private void close() {
        if (state == State.CLOSED) {
            return;
        }
        boolean wasFirst = state == State.CLEAR;
        state = State.CLOSED;
        if (refusals >= RepeatedRefusal.MANY) {
            session.refusedRemovals().remove();
        }
        refusedRemoval.resolved();
        inDoubt.resolved();
        session.placeClosed(this);
        left.complete(null);
        if (mine != null) {
            session.ownEntries().removed(path(name()), wasFirst);
        }
        endRequests();
    }

    /** As {@link #close}, once the session is certain to have ended. */
    private void closeWithSession() {
        state = State.CLOSED;
        session.placeClosed(this);
        endRequests();
        session.ended().whenComplete((done, unknown) -> {
            if (unknown == null) {
                left.complete(null);
            } else {
                left.completeExceptionally(unknown);
            }
        });
    }

    /** No more requests of its own. */
    private void endRequests() {
        joining.finish();
        removing.finish();
    }

    /** Neither waits nor holds any more. */
    private void dropOut() {
        unwatch();
        following.leave(this);
        ahead.clear();
        if (state == State.CLEAR) {
            session.heartbeatRequests().uncheck(this);
        }
        needProof(false);
    }

    private void needProof(boolean now) {
        if (needsProof != now) {
            needsProof = now;
            session.countProofUser(now);
        }
    }

    private String path(String name) {
        return linePath() + "/" + name;
    }

    private String name() {
        return own().name();
    }

    private EntryName ownName(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        try {
            EntryName own = naming.parse(name);
            if (own != null) {
                return own;
            }
        } catch (ForeignEntryException impossible) {
            throw new IllegalStateException(impossible);
        }
        throw new IllegalStateException("not an entry: " + name);
    }

    private EntryName own() {
        if (mine == null) {
            throw new IllegalStateException("not in the line " + line);
        }
        return mine;
    }
}
