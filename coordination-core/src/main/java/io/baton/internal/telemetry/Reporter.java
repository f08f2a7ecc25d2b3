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
 * Tells telemetry listeners what happens, on the callback threads, each in a queue of its own. With no listener there is
 * nothing to be made or queued: whoever has an event asks {@link #silent} first. Any thread.
 */
public final class Reporter implements RequestListener {

    /** How many events may wait for a slow listener, not counting those that must be told. */
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

    /** Whether nobody listens. */
    public boolean silent() {
        return deliveries.isEmpty();
    }

    /** For a session's requests. */
    public Optional<RequestListener> requests() {
        return silent() ? Optional.empty() : Optional.of(this);
    }

    /** So many more wait, and hold, than before. On the loop. */
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

    @Override
    public void answered(Kind kind, Outcome outcome, long tookNanos) {
        var event = new Telemetry.Request(now(), kind, outcome, Duration.ofNanos(tookNanos));
        report(to -> to.request(event));
    }

    /** The session's state has changed. */
    public void session(String id, SessionState state, long beforeNanos, String why) {
        if (!silent()) {
            if (state == SessionState.CLOSED && loadIsToBeTold != null) {
                loadIsToBeTold.cancel();
                reportLoad();
            }
            var event = new Telemetry.SessionChange(now(), id, state, Duration.ofNanos(beforeNanos), why);
            reportReliably(to -> to.session(event));
        }
    }

    /** Tells everybody, except those who are too slow; these are told how much they missed. */
    public void report(Consumer<Telemetry> event) {
        offer(event, false);
    }

    /** Tells everybody. */
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
