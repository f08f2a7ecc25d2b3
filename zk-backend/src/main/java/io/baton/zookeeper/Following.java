package io.baton.zookeeper;

import io.baton.spi.support.FollowHeuristic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;

/**
 * One line, as this session follows it, or does not: by one lasting watch on the whole of it.
 *
 * <p>A listing that was sent while the stream of events was open tells who stands ahead; the stream takes out of that set
 * whoever goes; once it is empty, nobody stands ahead, and no further read is needed. Who comes later stands behind, so
 * creations do not matter. All that holds only while the stream has no gap: a stream has a number, and a gap ends it.
 *
 * <p>Every follower is told of every entry, so following pays in a line that is used often and is short. Which it is, the
 * joins of this session tell; see docs/decisions/0005-following.md for the numbers.
 */
final class Following {

    /** Stands in the line, behind others. */
    interface Follower {
        /** An entry of the line has gone, perhaps the follower's own. */
        void removed(String name);

        /** Something may not have been told. Nothing more will be, until it follows again. */
        void gap();
    }

    private enum State {
        /** No watch. */
        OFF,
        /** The watch is being set; what is sent from now on is answered after that. */
        OPENING,
        /** The watch is set, and has told everything since. */
        OPEN,
        /** The watch may be set, but has not told everything. */
        BROKEN,
        /** The watch is being dropped. */
        DROPPING,
        /** The server does not let us. */
        REFUSED
    }

    /** The number of no stream. */
    static final long NONE = 0;

    /** How long a line may be for us to begin to follow, and to go on. */
    private static final int SHORT = 4;

    private static final int NOT_TOO_LONG = 6;

    /** So many events while nobody here waited end it. */
    private static final int MAX_UNUSED = 256;

    private final ZkSession session;
    private final String path;
    private final FollowHeuristic heuristic;
    private final Set<Follower> followers = new LinkedHashSet<>();
    private State state = State.OFF;
    private long stream = NONE;
    private int unused;

    Following(ZkSession session, String path) {
        this.session = session;
        this.path = path;
        this.heuristic = new FollowHeuristic(session.loop(), SHORT, NOT_TOO_LONG);
    }

    /** A join is about to be sent: the watch, if it is worth it, goes ahead of it. */
    void joining() {
        unused = 0;
        if (heuristic.shouldStart() && !session.shared() && (state == State.OFF || state == State.BROKEN)) {
            open();
        }
    }

    /** A join has found so many ahead. */
    void joined(int ahead) {
        heuristic.joined(ahead, streams(), session.timeout());
        if (heuristic.shouldStop()) {
            stop();
        }
    }

    /** The number of the stream that will tell of everything after a request sent now, if there is one. */
    long stream() {
        return streams() ? stream : NONE;
    }

    /** Tells this one what happens, if the stream of that number has told everything so far. */
    boolean follow(Follower follower, long since, int ahead) {
        boolean may = state == State.OPEN && since == stream && heuristic.fits(ahead);
        if (may) {
            followers.add(follower);
        }
        return may;
    }

    void leave(Follower follower) {
        followers.remove(follower);
    }

    /** An entry has gone. */
    void removed(String name) {
        if (followers.isEmpty() && ++unused > MAX_UNUSED) {
            stop();
        }
        new ArrayList<>(followers).forEach(follower -> follower.removed(name));
    }

    /** Something may not have been told. */
    void gap() {
        if (streams()) {
            state = State.BROKEN;
        }
        List<Follower> told = new ArrayList<>(followers);
        followers.clear();
        told.forEach(Follower::gap);
    }

    /** Drops the watch, if there is one. */
    void stop() {
        if (state == State.OPEN || state == State.BROKEN) {
            state = State.DROPPING;
            gap();
            if (session.headWatches().observes(path)) {
                state = State.OFF; // the watch stays, and its events are nothing to us
                return;
            }
            session.wire().unwatch(path, (code, nothing) -> {
                // After a break the client library sets the watch again; then there are events again, and we stop
                // again.
                state = code == Code.CONNECTIONLOSS || code == Code.THROTTLEDOP ? State.BROKEN : State.OFF;
            });
        }
    }

    /** Whether there is no watch, nor will be. */
    boolean isOff() {
        return state == State.OFF || state == State.REFUSED;
    }

    private void open() {
        state = State.OPENING;
        long opening = ++stream;
        session.wire().follow(path, (code, nothing) -> {
            if (state != State.OPENING || stream != opening) {
                return;
            }
            switch (code) {
                case OK -> state = State.OPEN;
                case CONNECTIONLOSS, THROTTLEDOP -> state = State.BROKEN;
                default -> state = State.REFUSED;
            }
        });
    }

    private boolean streams() {
        return state == State.OPENING || state == State.OPEN;
    }
}
