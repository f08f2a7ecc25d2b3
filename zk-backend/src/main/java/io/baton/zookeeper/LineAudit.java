package io.baton.zookeeper;

import io.baton.CoordinationException;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * Asks about one line whether all is as its waiting places and its observers have been told.
 *
 * <p>One listing answers that for all of them, and is as long as the line. In a long line in which few places of this
 * session wait, and in one that is too long to be listed, the entries that they rest on are read instead. Observers need
 * a listing.
 */
final class LineAudit {

    /** Longer than this is long: a listing takes some 50 bytes for each entry. */
    static final int LONG = 500;

    /** A place's reads cost a server about as much as this many names of a listing. */
    private static final int NAMES_PER_PLACE = 200;

    private final ZkSession session;
    private final Places places;

    LineAudit(ZkSession session, Places places) {
        this.session = session;
        this.places = places;
    }

    /** Asks about the line at this path; what follows from that is asked in the same round. */
    void audit(String path, BoundedRequests round, Runnable answered) {
        if (session.headWatches().observes(path)) {
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
                .forEach(place ->
                        place.expected().forEach(name -> round.addNext(then -> read(place, path, name, round, then))));
    }

    private void read(LinePlace place, String path, String name, BoundedRequests round, Runnable answered) {
        session.wire().read(path + "/" + name, (code, node) -> {
            if (code == Code.NONODE) {
                place.audit(name::equals);
            } else if (code == Code.NOAUTH) {
                place.unreadable(path + "/" + name);
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
        waiting(path).forEach(place -> place.audit(name -> !standing.contains(name)));
        session.headWatches().audit(path, standing);
    }

    /** The line has gone, and the entries with it, or may not be read; or the contact breaks, and a new round follows. */
    private void failed(String path, Code code, BoundedRequests round) {
        if (code == Code.NONODE) {
            waiting(path).forEach(LinePlace::missing);
            session.headWatches().audit(path, Set.of());
        } else if (code == Code.NOAUTH) {
            waiting(path).forEach(place -> place.unreadable(path));
            session.headWatches().unreadable(path);
        } else {
            round.drop();
        }
    }

    private List<LinePlace> waiting(String path) {
        return places.in(path).stream().filter(LinePlace::isWaiting).toList();
    }
}
