package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import io.baton.recipe.TextLines;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Session;
import io.baton.spi.support.Pauses;
import io.baton.spi.support.RepeatedRefusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A contender's place for permits, made of places in two lines. On the loop.
 *
 * <p>In the line <i>queue</i> contenders wait for their turn. The first joins the line <i>permits</i>, waits there until
 * the permits ahead of its own and its own fit into the size, and then leaves the queue. So one contender follows the
 * line of the permits, once it has seen that it must wait, and a release wakes it and then the next one of the queue.
 *
 * <p>What is granted rests on the line of the permits alone. Whoever is granted has seen that the permits of all entries
 * ahead and its own fit, and the entries ahead only become fewer. So the permits of the entries that were granted always
 * fit, also if somebody removes the first of the queue by force and the next joins the permits beside it. The size is
 * read after the entries ahead were, so a reading that is not stale shows whether it has been shrunk by then.
 *
 * <p>While the first of the queue waits, it reads the size again and again. Stores tell of changes of trees, and to be
 * told of this one's would be to read the sizes of all semaphores, which stay on record.
 */
final class PermitPlace implements Place {

    private static final String PERMITS = "permits";
    private static final String QUEUED = "queued";
    private static final String QUEUED_TOKEN = "queued-token";

    private final PermitContender contender;
    private final Session session;
    private final byte[] payload;
    private final PlaceListener to;

    private boolean waited;
    private boolean clear;
    private boolean closed;
    private int refusals;
    private final RepeatedRefusal refused;
    private int late;
    private boolean sizing;
    private boolean sizeAgain;
    private int seenSize;
    private int failedComparisons;
    private @Nullable Place queued;
    private @Nullable Place permits;
    private @Nullable Entry mine;
    private @Nullable List<Peer> peers;
    private @Nullable Runnable stopFollowing;
    private Loop.Timer sizeTimer = () -> {};
    private @Nullable CompletableFuture<Void> left;

    PermitPlace(PermitContender contender, Session session, byte[] payload, PlaceListener to) {
        this.contender = contender;
        this.session = session;
        this.payload = new TextLines(payload)
                .add(PERMITS, Integer.toString(contender.wanted()))
                .bytes();
        this.to = to;
        this.refused = contender.refused();
    }

    PermitPlace begin() {
        queued = session.join(contender.queue(), Claim.EXCLUSIVE, payload, new Queued());
        if (contender.wanted() > contender.checked().get()) {
            checkFirst();
        }
        return this;
    }

    /** Who cannot be served is told at once, and not when its turn has come. */
    private void checkFirst() {
        if (closed || clear) {
            return;
        }
        Futures.onDone(contender.declaredSize(session), (size, failure) -> {
            if (failure != null) {
                failed(failure, this::checkFirst);
            } else {
                answered();
            }
        });
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

    /**
     * Returns the entry in the queue that belongs to this entry among the permits. A store may use a name again, so the
     * token counts, too, but for entries of earlier releases, which say none.
     *
     * @param queue the entries in the queue, by their names
     */
    static Optional<Entry> queueEntry(Entry permits, Map<String, Entry> queue) {
        return line(permits, QUEUED)
                .map(queue::get)
                .filter(entry -> line(permits, QUEUED_TOKEN)
                        .map(token -> TextLines.number(token) == entry.token())
                        .orElse(true));
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
                byte[] linked = new TextLines(payload)
                        .add(QUEUED, first.peer().name())
                        .add(QUEUED_TOKEN, Long.toString(first.token()))
                        .bytes();
                permits = session.join(contender.permits(), contender.claim(), linked, new Permits());
                look();
            }
        }

        @Override
        public void lost(CoordinationException why) {
            if (!clear) {
                fail(why);
            }
        }
    }

    /** The place among the permits, which stands as soon as it has joined, and the store is not quiet. */
    private final class Permits implements PlaceListener {

        @Override
        public void waiting() {
            // On no other entry, but until the store is not quiet after a fail-over.
            waits();
        }

        @Override
        public void clear(Entry entry) {
            mine = entry;
            if (peers != null && !standsIn(peers)) {
                look(); // that reading was answered before the join
            } else {
                compare();
            }
        }

        @Override
        public void lost(CoordinationException why) {
            fail(why);
        }
    }

    /** Reads the line of the permits, until the reading shows the own entry. */
    private void look() {
        if (closed || clear) {
            return;
        }
        Futures.onDone(session.peers(contender.permits()), (now, failure) -> {
            if (failure != null) {
                failed(failure, this::look);
                return;
            }
            answered();
            if (mine != null && !standsIn(now)) {
                pause(late++, this::look); // from before the join; if the entry is gone, the place is told
            } else {
                follow(now);
            }
        });
    }

    private void follow(List<Peer> now) {
        peers = now;
        compare();
    }

    private boolean standsIn(List<Peer> all) {
        return mine != null && own(all).isPresent();
    }

    /** By its name, as a store may come to count the order differently. */
    private Optional<Peer> own(List<Peer> all) {
        return all.stream()
                .filter(peer -> mine != null && peer.name().equals(mine.peer().name()))
                .findFirst();
    }

    /** Grants the permits if they fit. */
    private void compare() {
        if (closed || clear || mine == null || peers == null || !standsIn(peers)) {
            return; // without the own entry, the reading is older than that, or the entry is gone
        }
        if (sizing) {
            sizeAgain = true;
            return;
        }
        long upToMine = own(peers).orElseThrow().order();
        long taken = PermitContender.sum(
                peers.stream().filter(peer -> peer.order() <= upToMine).toList());
        sizing = true;
        Futures.onDone(contender.presentSize(session), (size, failure) -> {
            sizing = false;
            if (failure != null) {
                int own = ++failedComparisons;
                failed(failure, () -> compareAfter(own));
            } else if (taken <= size.size()) {
                grant();
            } else {
                answered();
                seenSize = size.size();
                waits();
                followBoth();
                compareAgain();
            }
        });
    }

    /** Whatever changes is a reason to compare at once, so there may be several pauses: the last counts. */
    private void compareAfter(int failed) {
        if (failed == failedComparisons) {
            compare();
        }
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

    private void answered() {
        refusals = 0;
        refused.resolved();
    }

    /** A request failed. If the session has ended, the places are told. A store that may answer later is asked again. */
    private void failed(Throwable failure, Runnable again) {
        if (closed || clear) {
            return;
        }
        Throwable cause = Futures.cause(failure);
        if (cause instanceof StoreUnavailableException) {
            if (session.link() == Link.CONNECTED) { // the store has refused it for now
                refusals++;
                refused.refused(String.valueOf(cause.getMessage()));
            }
            pause(refusals, again);
        } else if (!(cause instanceof SessionLostException)) {
            fail(Futures.toCoordinationException(cause));
        }
    }

    private void pause(int attempt, Runnable then) {
        contender.loop().after(Pauses.before(attempt, contender.loop().raw()), then);
    }

    private void followBoth() {
        if (stopFollowing == null && !closed && !clear) {
            contender.pace().begin();
            readSizeLater();
            stopFollowing = session.observePeers(contender.permits(), this::follow);
        }
    }

    private void readSizeLater() {
        sizeTimer = contender.loop().after(contender.pace().pause(), this::readSize);
    }

    private void readSize() {
        Futures.onDone(SemaphoreSize.read(session, contender.size()), (size, failure) -> {
            if (!closed && !clear) {
                readSizeLater();
                if (failure != null || size.map(SemaphoreSize::size).orElse(0) != seenSize) {
                    compare();
                }
            }
        });
    }

    private void stopWaiting() {
        refused.resolved();
        if (stopFollowing != null) {
            contender.pace().end();
            stopFollowing.run();
            stopFollowing = null;
        }
        sizeTimer.cancel();
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
