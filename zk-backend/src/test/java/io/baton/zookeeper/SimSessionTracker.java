package io.baton.zookeeper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A leader's tracker of sessions ({@code SessionTrackerImpl}, {@code ExpiryQueue}), by the leader's clock: a session
 * touched at T with timeout t is taken off at the first tick after T + t. Soon after that it is closed, and refused from
 * then on; in between it can be touched and used, which no longer saves it. It is made anew when a leader begins to serve,
 * and then gives every session that it knows its full timeout.
 */
final class SimSessionTracker {

    private final long tick;
    private final LongSupplier clock;
    private final Map<Long, Tracked> sessions = new LinkedHashMap<>();

    /** {@code known} are the sessions in the leader's database, with their timeouts in nanoseconds. */
    SimSessionTracker(long tick, LongSupplier clock, Map<Long, Long> known) {
        this.tick = tick;
        this.clock = clock;
        known.forEach(this::track);
    }

    private static final class Tracked {
        final long timeout;

        @Nullable
        Object owner;

        long expiry;
        boolean takenOff;
        boolean closing;

        Tracked(long timeout) {
            this.timeout = timeout;
        }
    }

    void track(long session, long timeout) {
        sessions.putIfAbsent(session, new Tracked(timeout));
        touch(session);
    }

    boolean touch(long session) {
        Tracked tracked = sessions.get(session);
        if (tracked == null || tracked.closing) {
            return false;
        }
        tracked.expiry = Math.max(tracked.expiry, ((clock.getAsLong() + tracked.timeout) / tick + 1) * tick);
        return true;
    }

    boolean alive(long session) {
        Tracked tracked = sessions.get(session);
        return tracked != null && !tracked.closing;
    }

    /** The client has come by way of this one; does nothing for a session that is over. */
    void owner(long session, Object owner) {
        Tracked tracked = sessions.get(session);
        if (tracked != null && !tracked.closing) {
            tracked.owner = owner;
        }
    }

    /** Whether a request that came by way of this one may go on. */
    Code check(long session, Object owner) {
        Tracked tracked = sessions.get(session);
        if (tracked == null || tracked.closing) {
            return Code.SESSIONEXPIRED;
        }
        if (tracked.owner == null) {
            tracked.owner = owner;
        }
        return tracked.owner == owner ? Code.OK : Code.SESSIONMOVED;
    }

    void closing(long session) {
        Tracked tracked = sessions.get(session);
        if (tracked != null) {
            tracked.closing = true;
        }
    }

    void remove(long session) {
        sessions.remove(session);
    }

    /** Takes off those whose time is up. */
    List<Long> takeOff() {
        var overdue = new ArrayList<Long>();
        long now = clock.getAsLong();
        sessions.forEach((session, tracked) -> {
            if (!tracked.closing && !tracked.takenOff && tracked.expiry <= now) {
                tracked.takenOff = true;
                overdue.add(session);
            }
        });
        return overdue;
    }
}
