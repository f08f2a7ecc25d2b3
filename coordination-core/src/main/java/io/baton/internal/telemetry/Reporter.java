package io.baton.internal.telemetry;

import io.baton.SessionState;
import io.baton.Telemetry;
import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;
import io.baton.recipe.Callbacks;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.ListenerGuard;
import io.baton.recipe.ListenerQueue;
import io.baton.spi.Loop;
import io.baton.spi.RequestListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies telemetry listeners on the callback threads, each through a queue of its own. Without listeners no event is
 * made or queued: callers check {@link #silent} first. Any thread.
 */
public final class Reporter implements RequestListener {

    /** So many events may wait for a slow listener before those that may be dropped are. */
    public static final int MOST_PENDING = 1_000;

    /** So many events, of all kinds, wait for a listener that hangs. */
    public static final int MOST_RELIABLE = 10_000;

    private static final Duration LOAD_EVERY = Duration.ofSeconds(1);

    private final ClientLoop loop;
    private final List<ListenerQueue<Telling>> deliveries;
    // On the loop.
    private int waiting;
    private int holding;
    private Loop.@Nullable Timer loadIsToBeTold;

    public Reporter(ClientLoop loop, Callbacks callbacks, List<Telemetry> listeners) {
        this.loop = loop;
        this.deliveries = listeners.stream()
                .map(listener -> new ListenerQueue<Telling>(
                        callbacks,
                        new ListenerGuard(listener, "telemetry"),
                        telling -> telling.event.accept(listener),
                        Reporter::addBounded,
                        telling -> false))
                .toList();
    }

    /** Returns whether there are no listeners. */
    public boolean silent() {
        return deliveries.isEmpty();
    }

    /** Returns the listener for a session's requests; empty if there are no telemetry listeners. */
    public Optional<RequestListener> requests() {
        return silent() ? Optional.empty() : Optional.of(this);
    }

    /** Adds to the numbers of waiting acquisitions and of holds. On the loop. */
    public void load(int moreWaiting, int moreHolding) {
        waiting += moreWaiting;
        holding += moreHolding;
        if (loadIsToBeTold == null) {
            loadIsToBeTold = loop.after(LOAD_EVERY, this::reportLoad);
        }
    }

    private void reportLoad() {
        loadIsToBeTold = null;
        var event = new Telemetry.Load(now(), waiting, holding);
        offer(to -> to.load(event), Kept.NEWEST);
    }

    /** Reports at once what {@link #load} has not reported yet. On the loop. */
    public void reportLastLoad() {
        if (loadIsToBeTold != null) {
            loadIsToBeTold.cancel();
            reportLoad();
        }
    }

    @Override
    public void answered(Kind kind, Outcome outcome, long tookNanos) {
        var event = new Telemetry.Request(now(), kind, outcome, Duration.ofNanos(tookNanos));
        report(to -> to.request(event));
    }

    /** Reports a change of the session's state. On the loop. */
    public void session(String id, SessionState state, long beforeNanos, String why) {
        if (!silent()) {
            if (state == SessionState.CLOSED) {
                reportLastLoad();
            }
            var event = new Telemetry.SessionChange(now(), id, state, Duration.ofNanos(beforeNanos), why);
            reportReliably(to -> to.session(event));
        }
    }

    /** Reports an event to all listeners. A listener that is too slow receives the number of missed events instead. */
    public void report(Consumer<Telemetry> event) {
        offer(event, Kept.WHILE_FEW_WAIT);
    }

    /** Reports an event to all listeners, however slow, unless one hangs. */
    public void reportReliably(Consumer<Telemetry> event) {
        offer(event, Kept.ALL);
    }

    private void offer(Consumer<Telemetry> event, Kept kept) {
        Telling telling = new Telling(event, kept, loop.wallMillis(), 0);
        deliveries.forEach(delivery -> delivery.offer(telling));
    }

    private Instant now() {
        return Instant.ofEpochMilli(loop.wallMillis());
    }

    private static void addBounded(Deque<Telling> pending, Telling next) {
        if (next.kept == Kept.NEWEST) {
            removeOlder(pending);
        }
        boolean drops = next.kept == Kept.WHILE_FEW_WAIT && pending.size() >= MOST_PENDING;
        append(pending, drops ? Telling.gap(1, next.wallMillis) : next);
        if (pending.size() > MOST_RELIABLE) {
            Telling oldest = pending.removeFirst();
            pending.addFirst(oldest.droppedWith(pending.removeFirst()));
        }
    }

    /** Removes what the next event replaces. */
    private static void removeOlder(Deque<Telling> pending) {
        List<Telling> all = List.copyOf(pending);
        pending.clear();
        all.stream().filter(telling -> telling.kept != Kept.NEWEST).forEach(telling -> append(pending, telling));
    }

    /** Appends an event, or a gap, of which there are never two next to each other at the end. */
    private static void append(Deque<Telling> pending, Telling next) {
        Telling last = pending.peekLast();
        if (next.gap > 0 && last != null && last.gap > 0) {
            pending.removeLast();
            pending.addLast(last.droppedWith(next));
        } else {
            pending.addLast(next);
        }
    }

    /** Which events a slow listener receives. */
    private enum Kept {
        WHILE_FEW_WAIT,
        /** Of those that wait, the newest one. */
        NEWEST,
        ALL
    }

    /** An event on its way to a listener, or the place where events were dropped. */
    private record Telling(Consumer<Telemetry> event, Kept kept, long wallMillis, long gap) {

        static Telling gap(long events, long wallMillis) {
            return new Telling(
                    to -> to.dropped(new Telemetry.Dropped(Instant.ofEpochMilli(wallMillis), events)),
                    Kept.ALL,
                    wallMillis,
                    events);
        }

        /** Returns the place where this one and the next were dropped. */
        Telling droppedWith(Telling next) {
            return gap(Math.max(1, gap) + Math.max(1, next.gap), next.wallMillis);
        }
    }
}
