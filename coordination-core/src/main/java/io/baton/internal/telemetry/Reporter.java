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

    /** How many events may wait for a slow listener, besides those that must be delivered. */
    public static final int MOST_PENDING = 1_000;

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
        reportReliably(to -> to.load(event));
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
        offer(event, false);
    }

    /** Reports an event to all listeners, however slow. */
    public void reportReliably(Consumer<Telemetry> event) {
        offer(event, true);
    }

    private void offer(Consumer<Telemetry> event, boolean must) {
        Telling telling = new Telling(event, must, loop.wallMillis(), 0);
        deliveries.forEach(delivery -> delivery.offer(telling));
    }

    private Instant now() {
        return Instant.ofEpochMilli(loop.wallMillis());
    }

    private static void addBounded(Deque<Telling> pending, Telling next) {
        if (next.must || pending.size() < MOST_PENDING) {
            pending.addLast(next);
            return;
        }
        Telling last = pending.getLast();
        if (last.gap > 0) {
            pending.removeLast();
        }
        pending.addLast(Telling.gap(last.gap + 1, next.wallMillis));
    }

    /** An event on its way to a listener, or the place where events were dropped. */
    private record Telling(Consumer<Telemetry> event, boolean must, long wallMillis, long gap) {

        static Telling gap(long events, long wallMillis) {
            return new Telling(
                    to -> to.dropped(new Telemetry.Dropped(Instant.ofEpochMilli(wallMillis), events)),
                    false,
                    wallMillis,
                    events);
        }
    }
}
