package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.spi.support.FollowHeuristic;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line, as this session follows it, or does not: by one watch on the whole of it.
 *
 * <p>An answer to a join or a read that was sent while the stream of events was open tells who stood ahead at its
 * revision; the stream takes out of that set whoever goes; once it is empty, nobody stands ahead, and no further read is
 * needed. Answers and events are not ordered: what has gone lately is kept, and compared by revision. All that holds only
 * while the stream has no gap: a stream has a number, and a gap ends it.
 */
final class Following {

    /** Stands in the line, behind others. */
    interface Follower {
        /** These entries of the line have gone, all at once, perhaps the follower's own among them. */
        void removed(Set<String> keys);

        /** Something may not have been told. Nothing more will be, until it follows again. */
        void gap();
    }

    private enum State {
        /** No watch. */
        OFF,
        /** The watch is asked for; from when on it tells is not known. */
        OPENING,
        /** The watch tells everything that comes from now on. */
        OPEN
    }

    /** The number of no stream. */
    static final long NONE = 0;

    /** How long a line may be for us to begin to follow, and to go on. */
    private static final int SHORT = 16;

    static final int NOT_TOO_LONG = 20;

    /** So many events while nobody here waited end it. */
    private static final int MAX_UNUSED = 256;

    /** So many removals are kept for answers that are still on their way. */
    private static final int KEPT = 1_024;

    private final EtcdContext session;
    private final String prefix;
    private final FollowHeuristic heuristic;
    /** Each with the revision since which it is told. */
    private final Map<Follower, Long> followers = new LinkedHashMap<>();
    /** When each entry went, the oldest first. */
    private final Map<String, Long> removals = new LinkedHashMap<>();

    private State state = State.OFF;
    private EtcdWire.@Nullable Watch watch;
    private long stream = NONE;
    private long forgotten;
    private int unused;

    Following(EtcdContext session, String prefix) {
        this.session = session;
        this.prefix = prefix;
        this.heuristic = new FollowHeuristic(session.loop(), SHORT, NOT_TOO_LONG);
    }

    /** A join is about to be sent. */
    void joining() {
        unused = 0;
        if (heuristic.shouldStart() && state == State.OFF) {
            open();
        }
    }

    /** A join has found so many ahead. */
    void joined(int ahead) {
        heuristic.joined(ahead, state == State.OPEN, session.timeout());
        if (heuristic.shouldStop()) {
            stop();
        }
    }

    /** The number of the stream that tells of everything after the answer to a request sent now, if there is one. */
    long stream() {
        return state == State.OPEN ? stream : NONE;
    }

    /**
     * Tells this one what happens, if the stream of that number has told everything since this revision.
     *
     * @param own the follower's own entry
     * @param ahead who stood ahead at that revision; who has gone since is taken out
     */
    boolean follow(Follower follower, String own, long since, long revision, Set<String> ahead) {
        boolean may = state == State.OPEN && since == stream && revision >= forgotten && heuristic.fits(ahead.size());
        if (may && !removedSince(own, revision)) {
            ahead.removeIf(key -> removedSince(key, revision));
            followers.put(follower, revision);
            return true;
        }
        return false;
    }

    void leave(Follower follower) {
        followers.remove(follower);
    }

    /** Drops the watch, if there is one. */
    void stop() {
        if (state != State.OFF) {
            EtcdWire.Watch old = watch;
            gap();
            if (old != null) {
                old.close();
            }
        }
    }

    /** Whether there is no watch. */
    boolean isOff() {
        return state == State.OFF;
    }

    private boolean removedSince(String key, long revision) {
        Long gone = removals.get(key);
        return gone != null && gone > revision;
    }

    private void open() {
        state = State.OPENING;
        long opening = ++stream;
        forgotten = 0;
        watch = session.wire().watch(Range.keysBelow(prefix), 0, new EtcdWire.Watcher() {
            @Override
            public void created(Header header) {
                if (stream == opening && state == State.OPENING) {
                    state = State.OPEN;
                }
            }

            @Override
            public void events(List<Event> events, Header header) {
                if (stream == opening && state != State.OFF) {
                    onEvents(events);
                }
            }

            @Override
            public void ended(Fault why) {
                if (stream == opening && state != State.OFF) {
                    gap();
                }
            }
        });
    }

    private void onEvents(List<Event> events) {
        Map<String, Long> gone = new HashMap<>();
        for (Event event : events) {
            if (event.deleted()) {
                gone.put(event.key(), event.revision());
                removals.remove(event.key());
                removals.put(event.key(), event.revision());
            }
        }
        for (Iterator<Long> oldest = removals.values().iterator(); removals.size() > KEPT; ) {
            forgotten = Math.max(forgotten, oldest.next());
            oldest.remove();
        }
        unused += gone.size();
        if (!followers.isEmpty()) {
            unused = 0;
        } else if (unused > MAX_UNUSED) {
            stop();
        }
        new LinkedHashMap<>(followers).forEach((follower, since) -> notifyFollower(follower, since, gone));
    }

    /** An answer may have come before the events that it includes; who has gone then may be back under the same key. */
    private void notifyFollower(Follower follower, long since, Map<String, Long> gone) {
        Set<String> news = new HashSet<>();
        gone.forEach((key, when) -> {
            if (when > since) {
                news.add(key);
            }
        });
        if (!news.isEmpty() && followers.containsKey(follower)) {
            follower.removed(news);
        }
    }

    private void gap() {
        state = State.OFF;
        watch = null;
        removals.clear();
        List<Follower> told = List.copyOf(followers.keySet());
        followers.clear();
        told.forEach(Follower::gap);
    }
}
