package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A contender's place for permits, made of places in two lines. On the loop.
 *
 * <p>In the line <i>queue</i> contenders wait for their turn. The first joins the line <i>permits</i>, waits there until
 * the permits ahead of its own and its own fit into the size, and then leaves the queue. So one contender follows the
 * line of the permits, and a release wakes it and then the next one of the queue.
 *
 * <p>What is granted rests on the line of the permits alone. Whoever is granted has seen that the permits of all entries
 * ahead and its own fit, and the entries ahead only become fewer. So the permits of the entries that were granted always
 * fit, also if somebody removes the first of the queue by force and the next joins the permits beside it. The size is
 * read after the entries ahead were. If it has been shrunk by then, the reading shows that.
 */
final class PermitPlace implements Place {

    private static final Runnable NONE = () -> {};
    private static final String PERMITS = "permits";
    private static final String QUEUED = "queued";

    private final PermitContention contention;
    private final Session session;
    private final byte[] payload;
    private final PlaceListener to;

    private boolean waited;
    private boolean clear;
    private boolean closed;
    private boolean sizing;
    private boolean sizeAgain;
    private @Nullable Place queued;
    private @Nullable Place permits;
    private @Nullable Entry mine;
    private @Nullable List<Peer> peers;
    private Runnable stopFollowing = NONE;
    private @Nullable Subscription sizeChanges;
    private @Nullable CompletableFuture<Void> left;

    PermitPlace(PermitContention contention, Session session, byte[] payload, PlaceListener to) {
        this.contention = contention;
        this.session = session;
        this.payload = new TextLines(payload).add(PERMITS, Integer.toString(contention.wanted())).bytes();
        this.to = to;
    }

    PermitPlace begin() {
        queued = session.join(contention.queue(), Claim.EXCLUSIVE, payload, new Queued());
        Futures.onDone(contention.checkedSize(session), (size, failure) -> {
            if (failure != null) {
                notSized(failure);
            }
        });
        return this;
    }

    @Override
    public CompletionStage<Void> leave() {
        if (left == null) {
            closed = true;
            stopWaiting();
            left = CompletableFuture.allOf(leave(permits), leave(queued));
        }
        return left;
    }

    @Override
    public CompletionStage<Void> downgrade() {
        throw new UnsupportedOperationException("permits cannot be downgraded");
    }

    private static CompletableFuture<Void> leave(@Nullable Place place) {
        return place == null
                ? CompletableFuture.completedFuture(null)
                : place.leave().toCompletableFuture();
    }

    /** Returns the name of the entry in the queue that belongs to this entry among the permits; empty if unknown. */
    static Optional<String> queueEntry(Entry permits) {
        return line(permits, QUEUED);
    }

    /** Returns the number of permits that this entry, in either line, asks for; 0 if unknown. */
    static int permits(Entry entry) {
        return (int) TextLines.number(line(entry, PERMITS).orElse(""));
    }

    private static Optional<String> line(Entry entry, String key) {
        return Optional.ofNullable(TextLines.decode(entry.payload()).get(key));
    }

    /** The place in the queue. */
    private final class Queued implements PlaceListener {

        @Override
        public void waiting() {
            waits();
        }

        @Override
        public void clear(Entry first) {
            if (!closed) {
                stopFollowing = session.observePeers(contention.permits(), PermitPlace.this::follow);
                byte[] linked =
                        new TextLines(payload).add(QUEUED, first.peer().name()).bytes();
                permits = session.join(contention.permits(), contention.claim(), linked, new Permits());
            }
        }

        @Override
        public void lost(CoordinationException why) {
            if (!clear) {
                fail(why);
            }
        }
    }

    /** The place among the permits, which stands as soon as it has joined. */
    private final class Permits implements PlaceListener {

        @Override
        public void waiting() {
            throw new IllegalStateException("permits wait for no other entry");
        }

        @Override
        public void clear(Entry entry) {
            mine = entry;
            compare();
        }

        @Override
        public void lost(CoordinationException why) {
            fail(why);
        }
    }

    private void follow(List<Peer> now) {
        peers = now;
        compare();
    }

    /** Grants the permits if they fit. */
    private void compare() {
        if (closed || clear || mine == null || peers == null || !peers.contains(mine.peer())) {
            return; // without the own entry, the reading is older than that, or the entry is gone
        }
        if (sizing) {
            sizeAgain = true;
            return;
        }
        long upToMine = mine.peer().order();
        long taken = PermitContention.sum(
                peers.stream().filter(peer -> peer.order() <= upToMine).toList());
        sizing = true;
        Futures.onDone(contention.checkedSize(session), (size, failure) -> {
            sizing = false;
            if (failure != null) {
                notSized(failure);
            } else if (taken <= size.size()) {
                grant();
            } else {
                waits();
                followSize();
                compareAgain();
            }
        });
    }

    private void compareAgain() {
        if (sizeAgain) {
            sizeAgain = false;
            compare();
        }
    }

    private void grant() {
        if (!closed && !clear && mine != null) {
            clear = true;
            stopWaiting();
            var unused = leave(queued);
            to.clear(mine);
        }
    }

    /** If the session has ended, the places are told. Without contact, the next attempt waits for it. */
    private void notSized(Throwable failure) {
        Throwable cause = Futures.cause(failure);
        if (cause instanceof StoreUnavailableException) {
            sizeAgain = true;
            compareAgain();
        } else if (!(cause instanceof SessionLostException)) {
            fail(Futures.toCoordinationException(cause));
        }
    }

    private void followSize() {
        if (sizeChanges == null && !closed && !clear) {
            sizeChanges = contention.records().observe(contention.size(), size -> compare());
        }
    }

    private void stopWaiting() {
        stopFollowing.run();
        stopFollowing = NONE;
        if (sizeChanges != null) {
            sizeChanges.close();
            sizeChanges = null;
        }
    }

    private void waits() {
        if (!waited && !closed && !clear) {
            waited = true;
            to.waiting();
        }
    }

    /** Leaves both lines, and reports the loss. */
    private void fail(CoordinationException why) {
        if (!closed) {
            var unused = leave();
            to.lost(why);
        }
    }
}
