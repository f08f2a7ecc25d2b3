package io.baton.zookeeper;

import io.baton.CoordinationException;
import io.baton.spi.Claim;
import io.baton.spi.Line;
import io.baton.spi.support.Downgrades;
import io.baton.spi.support.PlaceLife;
import io.baton.zookeeper.wire.Errors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * The entries ahead of a place that conflict with its claim. Finds them by listings, and waits until there is none.
 * Without an entry ahead, the place is clear. Otherwise {@link PredecessorWatch} waits for those ahead, and often
 * prepares the hand-off. In a {@link Following followed} line, the place needs neither watch nor listing. On the loop.
 *
 * <p>In a line of readers and writers, it waits for the entries that conflict with its claim. A reader also reads a
 * single writer ahead, as that may be downgraded.
 *
 * <p>Behind an entry of its own session it needs no watch. It also needs no listing once that entry has been first and
 * gone; see docs/decisions/0026-many-waiters-on-zookeeper.md.
 */
final class EntriesAhead implements PredecessorWatch.Waiter, Following.Follower, LineListings.Taker {

    private final ZkSession session;
    private final LinePlace place;
    private final PlaceLife life;
    private final Naming naming;
    private final Claim claim;
    private final PredecessorWatch predecessor;

    private Following following;
    /** In a followed line: all entries ahead that have not gone by the events. */
    private final Set<String> ahead = new HashSet<>();
    /** Whether an own entry ahead has gone without being released. */
    private boolean ownRemovedAhead;
    /** The one entry ahead that conflicts with a shared claim, unless it is downgraded. */
    private @Nullable String exclusiveAhead;

    private boolean numbered;
    /** What the place is ordered by: the smallest is the first. */
    private long order;
    /** Listings that were requested and not answered. */
    private int asked;

    EntriesAhead(ZkSession session, LinePlace place, PlaceLife life, Naming naming, Claim claim) {
        this.session = session;
        this.place = place;
        this.life = life;
        this.naming = naming;
        this.claim = claim;
        this.following = session.followings().of(place.linePath());
        this.predecessor = new PredecessorWatch(session, place.linePath(), isMutex(), claim.equals(Claim.SHARED), this);
    }

    /** Whether all entries of the line claim it for themselves alone. */
    private boolean isMutex() {
        return place.line().kind() == Line.Kind.MUTEX;
    }

    long order() {
        return order;
    }

    /** The place's create is about to be sent. */
    void joining() {
        following = session.followings().of(place.linePath());
        if (isMutex()) {
            following.joining();
        }
    }

    /** The place has an entry. The listing that was requested with it may have been answered too early. */
    void entered() {
        if (asked == 0) {
            list();
        }
    }

    /** The place has an entry, and is clear wherever that stands. */
    void conflictWithNone() {
        EntryName own = place.own();
        order = own.numbered() ? own.sequence() : place.token();
        if (life.waits()) {
            place.clear();
        }
    }

    /** The place's entry was found in this listing. No watch was active since. */
    void found(Listing listing) {
        if (life.waits()) {
            stand(listing, Following.NONE);
        }
    }

    /** The place is clear: events of others do not matter any more. */
    void cleared() {
        following.leave(this);
    }

    /** The place waits no more. */
    void stop() {
        exclusiveAhead = null;
        predecessor.stop();
        following.leave(this);
        ahead.clear();
    }

    /** The place's entry has gone. */
    void closed() {
        predecessor.closed();
    }

    /** The entries that are in the line as far as this place has seen: its own, and those it waits for. */
    List<String> expected() {
        var names = new ArrayList<>(ahead);
        names.add(place.name());
        names.addAll(predecessor.awaited());
        return names;
    }

    /** Handles the result of an audit for lost events: {@code gone} tests whether an entry has gone. */
    void audit(Predicate<String> gone) {
        if (!life.waits()) {
            return;
        }
        boolean own = gone.test(place.name());
        List<String> awaited = predecessor.awaited();
        Optional<String> missed = awaited.stream().filter(gone).findFirst();
        Optional<String> lost = ahead.stream().filter(gone).findFirst();
        if (!awaited.isEmpty() && (own || missed.isPresent())) {
            if (!own) {
                session.lostEvents().predecessorRemoved(place.path(missed.get()));
            }
            predecessor.stop();
            list();
        } else if (!ahead.isEmpty() && (own || lost.isPresent())) {
            if (!own) {
                session.lostEvents().followedRemoved(place.path(lost.get()));
            }
            following.gap();
        } else {
            aheadWritten(); // the event of a downgrade may be lost, too
        }
    }

    /** This place may no longer read a node it depends on, so it would miss the event that ends its wait. */
    @Override
    public void unreadable(String path) {
        if (life.waits() && !predecessor.canDoWithout(path)) {
            life.stuck(Errors.of("cannot wait in " + place.line(), Code.NOAUTH, path));
        }
    }

    @Override
    public void moved() {
        list();
    }

    @Override
    public void unwatched() {
        place.onReconnect(this::list);
    }

    @Override
    public void handedOver() {
        if (life.waits()) {
            place.clear();
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
        session.wire().read(place.path(place.name()), (code, node) -> {
            if (!life.waits()) {
                return;
            }
            if (code == Code.OK && node != null && node.czxid() == place.token()) {
                place.clear();
            } else if (Errors.passes(code)) {
                place.again(code, this::list);
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
        if (name.equals(place.name())) {
            // Deleted by another client, or with the session: a listing's answer shows which.
            following.leave(this);
            ahead.clear();
            list();
        } else if (ahead.remove(name)) {
            place.needProof(ahead.size() == 1);
            ownRemovedAhead |= session.ownEntries().stands(place.path(name));
            if (ahead.isEmpty() && ownRemovedAhead) {
                // The session may be ending, and this entry with it.
                following.leave(this);
                list();
            } else if (ahead.isEmpty()) {
                place.clear();
            }
        }
    }

    @Override
    public void gap() {
        ahead.clear();
        if (session.connected()) {
            list();
        } else {
            place.onReconnect(this::list);
        }
    }

    private void list() {
        if (life.waits()) {
            requestListing();
        }
    }

    void requestListing() {
        asked++;
        session.listings().list(place.linePath(), this);
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
        place.listed();
        if (code == Code.OK && listing != null) {
            place.answered();
            stand(listing, listing.stream(following));
        } else if (Errors.passes(code)) {
            place.again(code, this::list);
        } else if (code == Code.NONODE) {
            place.missing();
        } else {
            life.stuck(
                    Errors.of("cannot list " + place.line(), code, place.line().path()));
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
        if (!listing.names().contains(place.name())) {
            place.missing();
            return;
        }
        LineListing ordered;
        try {
            ordered = listing.ordered(naming);
        } catch (ForeignEntryException foreign) {
            life.stuck(foreign.withContext("cannot stand in " + place.line()));
            return;
        }
        numbered = ordered.numbered();
        if (numbered) {
            order = place.own().sequence();
            standBehind(ordered.ahead(place.own()), stream);
        } else {
            session.czxidOrder().order(place.linePath(), ordered.entries(), this::ordered);
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
                .filter(other -> other.czxid() < place.token() && claim.conflictsWith(other.claim()))
                .map(CzxidOrder.Born::name)
                .toList();
        numbered = false;
        order = place.token();
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
            place.clear();
            return;
        }
        place.needProof(others.size() == 1);
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
            predecessor.behind(others, place.name(), numbered);
        }
    }

    /** Stands with a shared claim behind one exclusive entry, which may be downgraded. */
    private void behindOne(List<String> other) {
        predecessor.behind(other, place.name(), numbered);
        exclusiveAhead = other.get(0);
        clearIfDowngraded();
    }

    /** Reads the one entry ahead that conflicts. Its watch, requested before, reports a later downgrade. */
    private void clearIfDowngraded() {
        String ahead = exclusiveAhead;
        if (ahead == null || !life.waits()) {
            return;
        }
        session.wire().read(place.path(ahead), (code, node) -> {
            if (!life.waits() || !ahead.equals(exclusiveAhead)) {
                return;
            }
            if (node != null && Downgrades.isMarked(node.data())) {
                predecessor.stop();
                firstIfItStands();
            } else if (Errors.passes(code)) {
                place.again(code, this::aheadWritten); // the event that led here will not come again
            } else {
                place.answered();
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
}
