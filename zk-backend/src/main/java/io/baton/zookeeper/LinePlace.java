package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.LockLostException;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.LineDriver;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.PlaceLife;
import io.baton.spi.support.PlaceMachine.Phase;
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
 * <p>To join, it sends a create and a listing back to back on one connection, so the listing shows the entry: one round
 * trip. Without an entry ahead, the place is clear. Otherwise {@link PredecessorWatch} waits for those ahead, and often
 * prepares the hand-off. In a {@link Following followed} line, the place needs neither watch nor listing.
 *
 * <p>In a line of readers and writers, it waits for the entries that conflict with its claim. A reader also reads a
 * single writer ahead, as that may be downgraded.
 *
 * <p>Behind an entry of its own session it needs no watch. It also needs no listing once that entry has been first and
 * gone; see docs/decisions/0026-many-waiters-on-zookeeper.md.
 *
 * <p>An unanswered create is resolved by the id chosen before it. A quorum commit first ensures that the create is no
 * longer in flight; then a listing shows whether the entry exists.
 */
final class LinePlace implements Place, LineDriver, PredecessorWatch.Waiter, Following.Follower, LineListings.Taker {

    private static final int MAX_ATTEMPTS = 20;

    private final ZkSession session;
    private final Line line;
    private final Claim claim;
    private final Naming naming;
    private final byte[] payload;
    private final PlaceLife life;
    private final RepeatedRefusal tooBusy;
    private final RepeatedRefusal overwritten;
    private final RequestWindow.Turn joining;
    private final RequestWindow.Turn removing;

    private Following following;
    private boolean needsProof;
    private boolean askedForLine;
    private boolean madeLine;
    private int attempts;
    private String prefix = "";
    private @Nullable EntryName mine;
    private long token;
    private long order;
    private final PredecessorWatch predecessor;
    // In a followed line: all entries ahead that have not gone by the events.
    private final Set<String> ahead = new HashSet<>();
    /** Whether an own entry ahead has gone without being released. */
    private boolean ownRemovedAhead;
    /** The one entry ahead that conflicts with a shared claim, unless it is downgraded. */
    private @Nullable String exclusiveAhead;
    /** Set once a downgrade is asked for. */
    private @Nullable CompletableFuture<Void> downgraded;
    /** Watches a downgraded entry for requests to release, which are written over the downgrade. */
    private Runnable unwatchDowngraded = () -> {};
    /** The version of the entry that a downgrade overwrites. A request to release must be seen before. */
    private int version;
    /** Whether a downgrade that was overwritten is being sent again. */
    private boolean restoring;

    private int restoreRefusals;
    /** The transaction of the last request to release, or 0. */
    private long askedToReleaseAt;

    private boolean numbered;
    private int asked;

    LinePlace(ZkSession session, Line line, Claim claim, byte[] payload, PlaceListener to) {
        this.session = session;
        this.line = line;
        this.claim = claim;
        this.naming = Naming.of(line);
        this.payload = payload;
        this.life = new PlaceLife(
                this,
                to,
                session.loop(),
                session.refusedRemovals(),
                session.repeatedRefusal(() -> "Cannot see whether an entry " + path(prefix) + "... was made"),
                session.repeatedRefusal(() ->
                        "Cannot remove the entry " + path(name()) + ", which has been left: others wait behind it"));
        this.tooBusy = session.repeatedRefusal(this::refused);
        this.overwritten = session.repeatedRefusal(
                () -> "Cannot write again that the hold of " + line + " is downgraded, over a request to release");
        this.following = session.followings().of(linePath());
        this.predecessor = new PredecessorWatch(session, linePath(), isMutex(), claim.equals(Claim.SHARED), this);
        this.joining = session.joins().turn(linePath(), this::begin);
        this.removing = session.removals().turn(linePath(), this::sendDelete);
    }

    Line line() {
        return line;
    }

    String linePath() {
        return session.address().path(line.path());
    }

    /** The full path of the entry. Only for a place that is clear. */
    String entryPath() {
        return path(name());
    }

    /** The start of the path of an entry that stands in the line, or may do so; empty if there is none. */
    Optional<String> entryPrefix() {
        boolean none = life.phase() == Phase.ABSENT || life.phase() == Phase.CLOSED;
        return none ? Optional.empty() : Optional.of(path(prefix));
    }

    /** Whether the place was left while clear and its entry is being removed. */
    boolean isReleased() {
        return life.isLeft() && life.phase() == Phase.CLEAR;
    }

    /**
     * Returns how many entries the line had had once this place's was made. Returns 0 if none was made, though the
     * line's node may have been. Empty if nothing was sent, or if the sequence numbers are unusable.
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
        life.start();
    }

    @Override
    public void join() {
        if (joining.running()) {
            begin();
        } else {
            joining.enqueue();
        }
    }

    /** Begins to join. The length of the line is checked first, if it is unknown. */
    private void begin() {
        if (!session.connected()) {
            onReconnect(this::start);
        } else if (life.mayJoin()) {
            session.refusedRemovals()
                    .refusal(line)
                    .ifPresentOrElse(
                            this::refuseToJoin, () -> session.lengths().withLength(linePath(), this::lengthKnown));
        }
    }

    private void lengthKnown(Code code, int length) {
        if (!life.mayJoin()) {
            return;
        }
        CoordinationException tooLong = session.lengths().tooLongToJoin(linePath(), length);
        if (tooLong != null) {
            life.gone(tooLong);
        } else if (Errors.passes(code)) {
            again(code, this::start);
        } else if (code == Code.NONODE) {
            makeLine();
        } else {
            create(); // also if the line may not be read: the listing shows that
        }
    }

    @Override
    public CompletionStage<Void> leave() {
        return life.leave();
    }

    /** The session has ended, and its entry with it. */
    void sessionLost(CoordinationException why) {
        life.sessionLost(why);
    }

    /** Posted: no callback runs within a call. */
    private void refuseToJoin(CoordinationException why) {
        session.loop().execute(() -> life.gone(why));
    }

    /** A heartbeat's check did not find the entry. */
    void missing() {
        if (life.phase() != Phase.CLOSED) {
            life.gone(new LockLostException("the entry " + path(name()) + " was removed by somebody else"));
        }
    }

    /** The entry is known to have been removed. */
    void removed() {
        if (life.entered()) {
            life.gone(new LockLostException("the entry " + path(name()) + " was removed"));
        }
    }

    /** Whether the entry is in the line and has not been released. */
    boolean isWanted() {
        return life.stands();
    }

    /** Whether the place stands behind others and waits for them. */
    boolean isWaiting() {
        return life.waits();
    }

    /** The entries that are in the line as far as this place has seen: its own, and those it waits for. */
    List<String> expected() {
        var names = new ArrayList<>(ahead);
        names.add(name());
        names.addAll(predecessor.awaited());
        return names;
    }

    /** Handles the result of an audit for lost events: {@code gone} tests whether an entry has gone. */
    void audit(Predicate<String> gone) {
        if (!isWaiting()) {
            return;
        }
        boolean own = gone.test(name());
        List<String> awaited = predecessor.awaited();
        Optional<String> missed = awaited.stream().filter(gone).findFirst();
        Optional<String> lost = ahead.stream().filter(gone).findFirst();
        if (!awaited.isEmpty() && (own || missed.isPresent())) {
            if (!own) {
                session.lostEvents().predecessorRemoved(path(missed.get()));
            }
            predecessor.stop();
            list();
        } else if (!ahead.isEmpty() && (own || lost.isPresent())) {
            if (!own) {
                session.lostEvents().followedRemoved(path(lost.get()));
            }
            following.gap();
        } else {
            aheadWritten(); // the event of a downgrade may be lost, too
        }
    }

    /** This place may no longer read a node it depends on, so it would miss the event that ends its wait. */
    @Override
    public void unreadable(String path) {
        if (isWaiting() && !predecessor.canDoWithout(path)) {
            life.stuck(Errors.of("cannot wait in " + line, Code.NOAUTH, path));
        }
    }

    @Override
    public void moved() {
        list();
    }

    @Override
    public void unwatched() {
        onReconnect(this::list);
    }

    @Override
    public void handedOver() {
        if (life.waits()) {
            clear();
        }
    }

    /**
     * The last predecessor has gone, or conflicts no longer. Nothing that conflicts stood ahead of it, or between it and
     * this place. A read sent after that must show that this entry still stands.
     */
    @Override
    public void firstIfItStands() {
        if (!life.waits()) {
            return;
        }
        session.wire().read(path(name()), (code, node) -> {
            if (!life.waits()) {
                return;
            }
            if (code == Code.OK && node != null && node.czxid() == token) {
                clear();
            } else if (Errors.passes(code)) {
                again(code, this::list);
            } else {
                list();
            }
        });
    }

    @Override
    public void removed(String name) {
        if (!life.waits()) {
            return;
        }
        if (name.equals(name())) {
            // Deleted by another client, or with the session: a listing's answer shows which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.remove(name)) {
            needProof(ahead.size() == 1);
            ownRemovedAhead |= session.ownEntries().stands(path(name));
            if (ahead.isEmpty() && ownRemovedAhead) {
                // The session may be ending, and this entry with it.
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
        life.sent();
        attempts++;
        prefix = naming.prefix(
                Naming.id(session.loop().randomLong(), session.loop().randomLong()), claim);
        checkAcl();
        following = session.followings().of(linePath());
        if (isMutex()) {
            following.joining();
        }
        long sent = session.loop().nanoTime();
        session.wire().create(path(prefix), payload, CreateMode.EPHEMERAL_SEQUENTIAL, (code, node) -> {
            joining.written(code, sent);
            if (code == Code.OK && node != null) {
                entered(node);
            } else {
                notEntered(code);
            }
        });
        if (!waitsForNone()) {
            requestListing();
        }
    }

    /**
     * Gives up in a line with another ACL. If the answer is lost, or a busy server does not show the ACL, it is read
     * again, unless the place is clear by then. A new attempt to join, or a search for the entry, reads it anyway.
     */
    private void checkAcl() {
        session.tree()
                .checkAcl(
                        line.path(),
                        life::stuck,
                        () -> session.onReconnect(() -> life.phase() == Phase.JOINING || life.waits(), this::checkAcl));
    }

    /** Whether all entries of the line claim it for themselves alone. */
    private boolean isMutex() {
        return line.kind() == Line.Kind.MUTEX;
    }

    /** Whether its claim conflicts with no other, so that it is clear wherever it stands. */
    private boolean waitsForNone() {
        return line.kind() == Line.Kind.PERMITS;
    }

    private void entered(ZkWire.Node node) {
        if (life.phase() == Phase.CLOSED) {
            return; // with the session
        }
        tooBusy.resolved();
        mine = ownName(node.path());
        token = node.czxid();
        session.ownEntries().add(path(name()), this);
        life.joined();
        if (waitsForNone()) {
            clearWithoutListing();
        } else if (life.waits() && asked == 0) {
            list(); // the listing sent with the join was answered too early
        }
    }

    private void clearWithoutListing() {
        order = own().numbered() ? own().sequence() : token;
        if (life.waits()) {
            clear();
        }
    }

    private void notEntered(Code code) {
        if (code == Code.CONNECTIONLOSS) {
            life.unanswered();
            onReconnect(this::resolve);
        } else if (code == Code.THROTTLEDOP) {
            attempts--;
            life.undone();
            again(code, this::start);
        } else if (code == Code.NONODE && attempts < MAX_ATTEMPTS) {
            life.undone();
            makeLine();
        } else {
            life.gone(Errors.of("cannot join " + line, code, line.path()));
        }
    }

    private void makeLine() {
        askedForLine = true;
        session.tree().makeLine(line.path(), this::lineMade);
    }

    private void lineMade(Code code) {
        madeLine |= code == Code.OK;
        if (life.phase() == Phase.CLOSED) {
            session.placeClosed(this); // left in the meantime, and the line with it
        } else if (code == Code.THROTTLEDOP) {
            attempts = Math.max(0, attempts - 1); // the last one found no line, which counts once it can be made
            again(code, this::start);
        } else if (session.tree().goesOn(code)) {
            session.retryLater(Math.max(0, attempts - 1), this::start);
        } else {
            life.gone(Errors.of("cannot join " + line, code, linePath()));
        }
    }

    /** Finds out whether the entry exists. A commit sent later settles a create that was in flight. */
    private void resolve() {
        if (life.phase() != Phase.DOUBT) {
            return;
        }
        Code[] commit = {Code.CONNECTIONLOSS};
        session.wire().multi(session.tree().rootCheck(), (code, at, zxid) -> commit[0] = code);
        session.listings().list(linePath(), new LineListings.Taker() {
            @Override
            public void listed(Code code, @Nullable Listing listing) {
                if (life.phase() != Phase.DOUBT) {
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
            life.searchRefused("ZooKeeper says " + code + "; it goes on trying");
            joining.finish(); // others may join meanwhile
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
        life.undone();
        start();
    }

    /** The entry cannot be looked for until the line is shorter. It is removed then. */
    private void unresolved(CoordinationException why) {
        if (life.phase() == Phase.DOUBT) {
            life.stuck(why);
            life.searchRefused(why.getMessage() + "; it goes on trying");
            joining.finish();
            session.retryLater(MAX_ATTEMPTS, this::resolve);
        }
    }

    private void readOwn(String name, Listing listing) {
        checkAcl();
        session.wire().read(path(name), (code, node) -> {
            if (code == Code.OK && node != null && node.owner() == session.number()) {
                entered(node);
                if (life.waits()) {
                    stand(listing, Following.NONE); // no watch was active during the read
                }
            } else if (code == Code.OK || code == Code.NONODE) {
                // Another session's, or gone again: this place has no entry.
                absent();
            } else {
                resolveAgain(code);
            }
        });
    }

    private void list() {
        if (life.waits()) {
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
        if (!life.waits()) {
            return;
        }
        joining.finish();
        if (code == Code.OK && listing != null) {
            tooBusy.resolved();
            stand(listing, listing.stream(following));
        } else if (Errors.passes(code)) {
            again(code, this::list);
        } else if (code == Code.NONODE) {
            missing();
        } else {
            life.stuck(Errors.of("cannot list " + line, code, line.path()));
        }
    }

    @Override
    public void tooLong(CoordinationException why) {
        asked--;
        if (life.waits()) {
            life.stuck(why);
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
            life.stuck(foreign.withContext("cannot stand in " + line));
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

    /** Orders by czxid, where the sequence numbers cannot be used. */
    private void ordered(@Nullable Code failed, List<CzxidOrder.Born> born, boolean complete) {
        if (!life.waits()) {
            return;
        }
        if (failed != null) {
            handleListing(failed, null);
            return;
        }
        List<String> ahead = born.stream()
                .filter(other -> other.czxid() < token && claim.conflictsWith(other.claim()))
                .map(CzxidOrder.Born::name)
                .toList();
        numbered = false;
        order = token;
        if (ahead.isEmpty() && !complete) {
            list(); // an entry has gone since the listing, so the listing may be older than this entry
        } else {
            standBehind(ahead, Following.NONE);
        }
    }

    /** Stands behind these entries, which conflict with this one, the nearest last. */
    private void standBehind(List<String> others, long stream) {
        exclusiveAhead = null;
        if (!life.waited() && isMutex()) {
            following.joined(others.size());
        }
        if (others.isEmpty()) {
            clear();
            return;
        }
        needProof(others.size() == 1);
        if (claim.equals(Claim.SHARED) && others.size() == 1) {
            behindOne(others);
            return;
        }
        life.behind();
        if (!life.waits()) {
            return;
        }
        if (isMutex() && following.follow(this, stream, others.size())) {
            predecessor.stop();
            ownRemovedAhead = false;
            ahead.addAll(others);
        } else {
            predecessor.behind(others, name(), numbered);
        }
    }

    /** Stands with a shared claim behind one exclusive entry, which may be downgraded. */
    private void behindOne(List<String> other) {
        predecessor.behind(other, name(), numbered);
        exclusiveAhead = other.get(0);
        clearIfDowngraded();
    }

    /** Reads the one entry ahead that conflicts. Its watch, requested before, reports a later downgrade. */
    private void clearIfDowngraded() {
        String ahead = exclusiveAhead;
        if (ahead == null || !life.waits()) {
            return;
        }
        session.wire().read(path(ahead), (code, node) -> {
            if (!life.waits() || !ahead.equals(exclusiveAhead)) {
                return;
            }
            if (node != null && Downgrades.isMarked(node.data())) {
                predecessor.stop();
                firstIfItStands();
            } else if (Errors.passes(code)) {
                again(code, this::aheadWritten); // the event that led here will not come again
            } else {
                tooBusy.resolved();
                life.behind();
            }
        });
    }

    /**
     * The nearest of the entries that this one waits for was written, perhaps by a downgrade. If it was not the only one
     * before, it may be by now.
     */
    @Override
    public void aheadWritten() {
        if (exclusiveAhead != null) {
            clearIfDowngraded();
        } else if (claim.equals(Claim.SHARED)) {
            list();
        }
    }

    @Override
    public CompletionStage<Void> downgrade() {
        Downgrades.check(line, claim, life.phase() == Phase.CLEAR && !life.isLeft());
        CompletableFuture<Void> known = downgraded;
        if (known == null) {
            known = new CompletableFuture<>();
            downgraded = known;
            sendDowngrade(known);
            if (Revocation.isOf(line)) {
                Peer own = new Peer(line, name(), order, claim);
                unwatchDowngraded = new Revocation(session, own, () -> {}).begin();
            }
        }
        return known;
    }

    private void sendDowngrade(CompletableFuture<Void> done) {
        if (done.isDone()) {
            return;
        }
        int overwritten = Revocation.isOf(line) ? version : -1;
        var write = new ZkWire.ZkOp.Write(path(name()), Downgrades.mark(payload), overwritten);
        session.wire().multi(List.of(write), (code, failedAt, zxid) -> {
            if (code == Code.OK) {
                tooBusy.resolved();
                done.complete(null);
            } else if (code == Code.NONODE) {
                missing();
            } else if (code == Code.BADVERSION) {
                tooBusy.resolved();
                lookAndDowngrade(done);
            } else if (Errors.passes(code)) {
                again(code, () -> sendDowngrade(done));
            } else {
                tooBusy.resolved();
                done.completeExceptionally(downgradeRefused(code));
            }
        });
    }

    private CoordinationException downgradeRefused(Code code) {
        return Errors.of("cannot downgrade the hold of " + line, code, path(name()));
    }

    /** The entry has been written: by a request to release, or by an attempt whose answer was lost. */
    private void lookAndDowngrade(CompletableFuture<Void> done) {
        session.wire().read(path(name()), (code, node) -> {
            if (code == Code.OK && node != null) {
                note(node);
                sendDowngrade(done);
            } else if (code == Code.NONODE) {
                missing();
            } else if (Errors.passes(code)) {
                again(code, () -> lookAndDowngrade(done));
            } else {
                tooBusy.resolved();
                done.completeExceptionally(downgradeRefused(code));
            }
        });
    }

    /** The entry was read. If a new request to release has taken the place of a downgrade, that is sent again. */
    void written(ZkWire.Node entry) {
        long before = askedToReleaseAt;
        note(entry);
        boolean done = downgraded != null && downgraded.isDone() && !downgraded.isCompletedExceptionally();
        if (done && askedToReleaseAt > before && !restoring) {
            restoring = true;
            restoreDowngrade();
        }
    }

    private void restoreDowngrade() {
        var restored = new CompletableFuture<Void>();
        restored.whenComplete((nothing, failed) -> restored(failed));
        sendDowngrade(restored);
    }

    /** Readers that come later wait for the downgrade, so it is repeated while the hold lasts. */
    private void restored(@Nullable Throwable failed) {
        if (failed == null) {
            restoring = false;
            restoreRefusals = 0;
            overwritten.resolved();
        } else if (life.stands()) {
            restoreRefusals++;
            overwritten.refused(String.valueOf(failed.getMessage()));
            session.loop().after(Pauses.afterRefusals(restoreRefusals, session.loop()), () -> {
                if (life.stands()) {
                    restoreDowngrade();
                }
            });
        }
    }

    private void note(ZkWire.Node entry) {
        version = entry.version();
        if (Revocation.isIn(entry)) {
            askedToReleaseAt = entry.mzxid();
        }
    }

    /** The transaction of the last request to release that was seen in the entry; 0 if there was none. */
    long askedToReleaseAt() {
        return askedToReleaseAt;
    }

    private void clear() {
        tooBusy.resolved();
        life.first();
        joining.finish(); // a join that was in doubt has also listed, and needs its slot no longer
    }

    @Override
    public Entry first() {
        session.audit().lineMoved(line);
        following.leave(this);
        needProof(true);
        session.heartbeatRequests().check(this);
        return new Entry(new Peer(line, name(), order, claim), token, payload, session.id());
    }

    @Override
    public void remove() {
        if (life.phase() == Phase.CLEAR) {
            // Others wait for this removal.
            removing.enqueueFirst();
        } else if (life.phase() == Phase.STANDING) {
            joining.finish();
            removing.enqueue();
        }
    }

    private void sendDelete() {
        long sent = session.loop().nanoTime();
        session.wire().delete(path(name()), (code, nothing) -> {
            removing.written(code, sent);
            removing.finish();
            if (code == Code.OK || code == Code.NONODE) {
                life.removed();
            } else if (Errors.refuses(code)) {
                checkStands(code);
            } else {
                if (code != Code.CONNECTIONLOSS) {
                    life.removalFailed("ZooKeeper says " + code);
                }
                onReconnect(this::remove);
            }
        });
    }

    /** Servers check the line's ACL before they check whether the entry exists. */
    private void checkStands(Code refusal) {
        session.wire().read(path(name()), (code, node) -> {
            if (code == Code.NONODE) {
                life.removed();
            } else {
                life.removalRefused(
                        "ZooKeeper says " + refusal,
                        () -> Errors.of("cannot remove an entry that has been left", refusal, path(name())));
            }
        });
    }

    /** Sends a request again that was not answered, or that a busy server has refused. */
    private void again(Code code, Runnable request) {
        if (code == Code.THROTTLEDOP) {
            tooBusy.refused("ZooKeeper says " + code + "; it goes on trying");
        }
        onReconnect(request);
    }

    /** What a busy server refuses. */
    private String refused() {
        if (mine == null) {
            return "Cannot join " + line;
        }
        return (downgraded == null ? "Cannot see who stands ahead in " : "Cannot downgrade the hold of ") + line;
    }

    private void onReconnect(Runnable task) {
        session.onReconnect(() -> life.phase() != Phase.CLOSED, task);
    }

    @Override
    public void closed(Phase before) {
        session.placeClosed(this);
        tooBusy.resolved();
        if (mine != null) {
            predecessor.closed();
            session.ownEntries().removed(path(name()), before == Phase.CLEAR);
        }
        endRequests();
    }

    @Override
    public CompletionStage<Void> closedWithSession() {
        session.placeClosed(this);
        endRequests();
        return session.ended();
    }

    /** Sends no more requests of its own. */
    private void endRequests() {
        joining.finish();
        removing.finish();
    }

    @Override
    public void stop() {
        if (downgraded != null) {
            downgraded.completeExceptionally(Downgrades.ended(line));
        }
        unwatchDowngraded.run();
        overwritten.resolved();
        exclusiveAhead = null;
        predecessor.stop();
        following.leave(this);
        ahead.clear();
        if (mine != null) {
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
