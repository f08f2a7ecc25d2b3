package io.baton.zookeeper;

import io.baton.CoordinationException;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the waiting places and the observers of a line have missed no event.
 *
 * <p>One listing answers that for all of them, but is as long as the line. In a long line with few waiting places of
 * this session, it reads the entries that they depend on instead. So it does in a line too long to be listed. Observers
 * need a listing.
 */
final class LineAudit {

    /** The length beyond which a line is long. A listing takes some 50 bytes for each entry. */
    static final int LONG = 500;

    /** The number of listed names that costs a server about as much as one place's reads. */
    private static final int NAMES_PER_PLACE = 200;

    private final ZkSession session;
    private final Places places;

    LineAudit(ZkSession session, Places places) {
        this.session = session;
        this.places = places;
    }

    /** Checks the line at this path. Follow-up requests join the same round. */
    void audit(String path, BoundedRequests round, Runnable answered) {
        if (session.lineWatches().observes(path)) {
            list(path, round, answered);
        } else if (waiting(path).isEmpty()) {
            answered.run();
        } else {
            session.lengths().withLength(path, (code, length) -> {
                if (code != Code.OK) {
                    failed(path, code, round);
                } else if (length > LONG && waiting(path).size() * NAMES_PER_PLACE <= length) {
                    readEach(path, round);
                } else {
                    round.addNext(then -> list(path, round, then));
                }
                answered.run();
            });
        }
    }

    private void readEach(String path, BoundedRequests round) {
        waiting(path)
                .forEach(place -> place.entriesAhead()
                        .expected()
                        .forEach(name -> round.addNext(then -> read(place, path, name, round, then))));
    }

    private void read(LinePlace place, String path, String name, BoundedRequests round, Runnable answered) {
        session.wire().read(path + "/" + name, (code, node) -> {
            if (code == Code.NONODE) {
                place.entriesAhead().audit(name::equals);
            } else if (code == Code.NOAUTH) {
                place.entriesAhead().unreadable(path + "/" + name);
            } else if (code != Code.OK) {
                round.drop();
            }
            answered.run();
        });
    }

    private void list(String path, BoundedRequests round, Runnable answered) {
        session.listings().list(path, new LineListings.Taker() {
            @Override
            public void listed(Code code, @Nullable Listing listing) {
                if (code == Code.OK && listing != null) {
                    LineAudit.this.listed(path, listing.names());
                } else {
                    failed(path, code, round);
                }
                answered.run();
            }

            @Override
            public void tooLong(CoordinationException why) {
                readEach(path, round);
                answered.run();
            }
        });
    }

    private void listed(String path, Set<String> standing) {
        waiting(path).forEach(place -> place.entriesAhead().audit(name -> !standing.contains(name)));
        session.lineWatches().audit(path, standing);
    }

    /**
     * Handles a failed request. The line may have gone with its entries, or be unreadable. On any other error the round
     * stops; after a reconnect, a new one follows.
     */
    private void failed(String path, Code code, BoundedRequests round) {
        if (code == Code.NONODE) {
            waiting(path).forEach(LinePlace::missing);
            session.lineWatches().audit(path, Set.of());
        } else if (code == Code.NOAUTH) {
            waiting(path).forEach(place -> place.entriesAhead().unreadable(path));
            session.lineWatches().unreadable(path);
        } else {
            round.drop();
        }
    }

    private List<LinePlace> waiting(String path) {
        return places.in(path).stream().filter(LinePlace::isWaiting).toList();
    }
}
