package io.baton.zookeeper;

import io.baton.spi.support.FollowHeuristic;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.KeeperException.Code;

/**
 * One line's state of being followed by this session: by one persistent watch on all its entries, or not.
 *
 * <p>A listing sent while the stream of events is open shows the entries ahead. The stream removes each entry that
 * goes. Once the set is empty, the follower is first, without a further read. Later entries stand behind, so creations
 * do not matter. All that holds only for a stream without a gap. Each stream has a number, and a gap ends it.
 *
 * <p>Every follower receives every event, so following pays in short lines that are used often. This session's joins
 * measure both; see docs/decisions/0005-following.md for the numbers.
 */
final class Following {

    /** A place in the line, behind others. */
    interface Follower {
        /** An entry of the line has gone, perhaps the follower's own. */
        void removed(String name);

        /** Events may be missing. The follower gets no more until it follows again. */
        void gap();
    }

    private enum State {
        /** No watch. */
        OFF,
        /** The watch is being set. Requests sent from now on are answered after it is set. */
        OPENING,
        /** The watch is set, and no event since is missing. */
        OPEN,
        /** The watch may be set, but events may be missing. */
        BROKEN,
        /** The watch is being removed. */
        DROPPING,
        /** The server refuses the watch. */
        REFUSED
    }

    /** The number that stands for no stream. */
    static final long NONE = 0;

    /** The longest line to begin to follow, and to continue to follow. */
    private static final int SHORT = 4;

    private static final int NOT_TOO_LONG = 6;

    /** Following ends after this many events without a follower. */
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

    /** A join is about to be sent. If following pays, the watch is sent first. */
    void joining() {
        unused = 0;
        if (heuristic.shouldStart() && !session.shared() && (state == State.OFF || state == State.BROKEN)) {
            open();
        }
    }

    /** A join has found this many entries ahead. */
    void joined(int ahead) {
        heuristic.joined(ahead, streams(), session.timeout());
        if (heuristic.shouldStop()) {
            stop();
        }
    }

    /** Returns the number of the stream that covers all events after a request sent now; {@link #NONE} without one. */
    long stream() {
        return streams() ? stream : NONE;
    }

    /** Adds a follower if the stream {@code since} is open without a gap. Returns whether it did. */
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

    /** Events may be missing. */
    void gap() {
        if (streams()) {
            state = State.BROKEN;
        }
        List<Follower> told = new ArrayList<>(followers);
        followers.clear();
        told.forEach(Follower::gap);
    }

    /** Removes the watch, if there is one. */
    void stop() {
        if (state == State.OPEN || state == State.BROKEN) {
            state = State.DROPPING;
            gap();
            if (session.lineWatches().observes(path)) {
                state = State.OFF; // the watch stays for the observers, and its events are ignored
                return;
            }
            session.wire().unwatch(path, (code, nothing) -> {
                // After a break the client library sets the watch again. Its events then stop this following again.
                state = code == Code.CONNECTIONLOSS || code == Code.THROTTLEDOP ? State.BROKEN : State.OFF;
            });
        }
    }

    /** Whether there is no watch, and none is planned. */
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
