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
import io.baton.spi.support.PlaceLife;
import io.baton.spi.support.PlaceMachine.Phase;
import io.baton.spi.support.RepeatedRefusal;
import io.baton.zookeeper.wire.Errors;
import io.baton.zookeeper.wire.ZkWire;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One contender's place in a line.
 *
 * <p>To join, it sends a create and a listing back to back on one connection, so the listing shows the entry: one round
 * trip. {@link EntriesAhead} says when the place is clear. A create that was not answered is settled by the id chosen
 * before it ({@link EntrySearch}).
 */
final class LinePlace implements Place, LineDriver, EntrySearch.Owner, EntryDowngrade.Owner {

    private static final int MAX_ATTEMPTS = 20;

    private final ZkSession session;
    private final Line line;
    private final Claim claim;
    private final Naming naming;
    private final byte[] payload;
    private final PlaceLife life;
    private final RepeatedRefusal tooBusy;
    private final EntryDowngrade downgrade;
    private final RequestWindow.Turn joining;
    private final RequestWindow.Turn removing;

    private final EntriesAhead entriesAhead;
    private boolean needsProof;
    private boolean askedForLine;
    private boolean madeLine;
    private int attempts;
    private String prefix = "";
    private @Nullable EntryName mine;
    private long token;

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
        this.downgrade = new EntryDowngrade(session, line, payload, this);
        this.entriesAhead = new EntriesAhead(session, this, life, naming, claim);
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

    /** A heartbeat's check did not find the entry, or another request. */
    @Override
    public void missing() {
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

    @Override
    public boolean isWanted() {
        return life.stands();
    }

    /** Whether the place stands behind others and waits for them. */
    boolean isWaiting() {
        return life.waits();
    }

    private void create() {
        life.sent();
        attempts++;
        prefix = naming.prefix(
                Naming.id(session.loop().randomLong(), session.loop().randomLong()), claim);
        checkAcl();
        entriesAhead.joining();
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
            entriesAhead.requestListing();
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
            entriesAhead.conflictWithNone();
        } else {
            entriesAhead.entered();
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

    /** Finds out whether the entry exists. */
    private void resolve() {
        if (isInDoubt()) {
            new EntrySearch(session, linePath(), prefix, this).begin();
        }
    }

    @Override
    public boolean isInDoubt() {
        return life.phase() == Phase.DOUBT;
    }

    /** A grant comes after the answer about the ACL. */
    @Override
    public void seen() {
        checkAcl();
    }

    @Override
    public void found(ZkWire.Node entry, Listing listing) {
        entered(entry);
        entriesAhead.found(listing);
    }

    @Override
    public void absent() {
        life.undone();
        start();
    }

    @Override
    public void searchFailed(Code code) {
        if (code != Code.CONNECTIONLOSS) {
            life.searchRefused("ZooKeeper says " + code + "; it goes on trying");
            joining.finish(); // others may join meanwhile
        }
        onReconnect(this::resolve);
    }

    /** The entry cannot be looked for until the line is shorter. It is removed then. */
    @Override
    public void searchRefused(CoordinationException why) {
        life.stuck(why);
        life.searchRefused(why.getMessage() + "; it goes on trying");
        joining.finish();
        session.retryLater(MAX_ATTEMPTS, this::resolve);
    }

    @Override
    public CompletionStage<Void> downgrade() {
        Downgrades.check(line, claim, life.phase() == Phase.CLEAR && !life.isLeft());
        return downgrade.begin(peer());
    }

    /** Of the entry: its downgrade, and requests to release it. */
    EntryDowngrade entryDowngrade() {
        return downgrade;
    }

    /** Nothing that conflicts is ahead. */
    void clear() {
        tooBusy.resolved();
        life.first();
        joining.finish(); // a join that was in doubt has also listed, and needs its slot no longer
    }

    @Override
    public Entry first() {
        session.audit().lineMoved(line);
        entriesAhead.cleared();
        needProof(true);
        session.heartbeatRequests().check(this);
        return new Entry(peer(), token, payload, session.id());
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

    /** The transaction that made the entry. */
    long token() {
        return token;
    }

    /** The line was listed, so another place may join it. */
    void listed() {
        joining.finish();
    }

    /** What stands ahead of its entry, and how the place waits for that to go. */
    EntriesAhead entriesAhead() {
        return entriesAhead;
    }

    @Override
    public void answered() {
        tooBusy.resolved();
    }

    @Override
    public void again(Code code, Runnable request) {
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
        return (downgrade.hasBegun() ? "Cannot downgrade the hold of " : "Cannot see who stands ahead in ") + line;
    }

    void onReconnect(Runnable task) {
        session.onReconnect(() -> life.phase() != Phase.CLOSED, task);
    }

    @Override
    public void closed(Phase before) {
        session.placeClosed(this);
        tooBusy.resolved();
        if (mine != null) {
            entriesAhead.closed();
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
        downgrade.stop();
        entriesAhead.stop();
        if (mine != null) {
            session.heartbeatRequests().uncheck(this);
        }
        needProof(false);
    }

    /** Whether this place needs the session to be proven alive often. */
    void needProof(boolean now) {
        if (needsProof != now) {
            needsProof = now;
            session.countProofUser(now);
        }
    }

    private Peer peer() {
        return new Peer(line, name(), entriesAhead.order(), claim);
    }

    String path(String name) {
        return linePath() + "/" + name;
    }

    String name() {
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

    EntryName own() {
        if (mine == null) {
            throw new IllegalStateException("not in the line " + line);
        }
        return mine;
    }
}
