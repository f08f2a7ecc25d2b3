package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.spi.support.FollowHeuristic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One line's state of being followed by this session: by one watch on all its entries, or not.
 *
 * <p>A join or read sent while the stream of events is open shows the entries ahead at its revision. The stream removes
 * each entry that goes. Once the set is empty, the follower is first, without a further read. Answers and events are
 * not ordered, so recent removals are kept and compared by revision. All that holds only for a stream without a gap.
 * Each stream has a number, and a gap ends it.
 *
 * <p>A line that is not used often is followed briefly: while a place stands in it that had few entries ahead.
 */
final class Following {

    /** A place in the line, behind others. */
    interface Follower {
        /** The stream is open. What has happened before must be read. */
        void open();

        /** These entries of the line have gone together, perhaps the follower's own among them. */
        void removed(Set<String> keys);

        /** Events may be missing. The follower gets no more until it follows again. */
        void gap();
    }

    private enum State {
        /** No watch. */
        OFF,
        /** The watch is requested. The revision at which it begins is unknown. */
        OPENING,
        /** The watch reports all events from now on. */
        OPEN
    }

    /** The number that stands for no stream. */
    static final long NONE = 0;

    /** The longest line to begin to follow, and to continue to follow. */
    private static final int SHORT = 16;

    static final int NOT_TOO_LONG = 20;

    /** Following ends after this many events without a follower. */
    private static final int MAX_UNUSED = 256;

    /** The number of removals kept for answers still in flight. */
    private static final int KEPT = 1_024;

    private final EtcdContext session;
    private final String prefix;
    private final FollowHeuristic heuristic;
    /** The followers, each with the revision after which events concern it. */
    private final Map<Follower, Long> followers = new LinkedHashMap<>();
    /** The revision of each entry's removal, the oldest first. */
    private final Map<String, Long> removals = new LinkedHashMap<>();

    /** Those for whom the stream was opened, until they follow or leave. */
    private final Set<Follower> awaiting = new LinkedHashSet<>();

    private State state = State.OFF;
    /** Whether the stream ends once it has no follower. */
    private boolean brief;

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
        if (heuristic.shouldStart()) {
            brief = false;
            if (state == State.OFF) {
                open();
            }
        }
    }

    /** Follows briefly, if the line is not followed. Calls {@link Follower#open} or {@link Follower#gap} later. */
    void openFor(Follower one) {
        awaiting.add(one);
        if (state == State.OFF) {
            brief = true;
            open();
        } else if (state == State.OPEN) {
            one.open();
        }
    }

    /** A join has found this many entries ahead. */
    void joined(int ahead) {
        heuristic.joined(ahead, state == State.OPEN, session.timeout());
        if (heuristic.shouldStop() && !brief) {
            stop();
        }
    }

    /**
     * Returns the number of the stream that covers all events after the answer to a request sent now; {@link #NONE}
     * without one.
     */
    long stream() {
        return state == State.OPEN ? stream : NONE;
    }

    /**
     * Adds a follower if the stream {@code since} has no gap after this revision. Returns whether it did.
     *
     * @param own the follower's own entry
     * @param ahead the entries ahead at that revision; those that have gone since are removed from it
     */
    boolean follow(Follower follower, String own, long since, long revision, Set<String> ahead) {
        boolean may = state == State.OPEN && since == stream && revision >= forgotten && heuristic.fits(ahead.size());
        if (may && !removedSince(own, revision)) {
            ahead.removeIf(key -> removedSince(key, revision));
            awaiting.remove(follower);
            followers.put(follower, revision);
            return true;
        }
        return false;
    }

    /** Whether it follows, so that it is told of what goes. */
    boolean hasFollower(Follower one) {
        return followers.containsKey(one);
    }

    void leave(Follower follower) {
        boolean followed = followers.remove(follower) != null;
        boolean awaited = awaiting.remove(follower);
        if ((followed || awaited) && brief && followers.isEmpty() && awaiting.isEmpty()) {
            stop();
        }
    }

    /** Removes the watch, if there is one. Its followers are told of the gap. */
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
                    List.copyOf(awaiting).forEach(Follower::open);
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
        if (!followers.isEmpty() || !awaiting.isEmpty()) {
            unused = 0;
        } else if (unused > MAX_UNUSED) {
            stop();
        }
        new LinkedHashMap<>(followers).forEach((follower, since) -> notifyFollower(follower, since, gone));
    }

    /** An answer may arrive before events that it includes, and an entry in them may be back under the same key. */
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
        brief = false;
        var told = new ArrayList<>(followers.keySet());
        told.addAll(awaiting);
        followers.clear();
        awaiting.clear();
        told.forEach(Follower::gap);
    }
}
