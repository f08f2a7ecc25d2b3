package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.spi.Loop;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Topic;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The store's side of a session: its entries, verdicts and subscriptions, its expiry, and the contact with its client.
 * Steps and events of a client without contact are dropped; an attach waits. Under the store's lock.
 */
final class Lease {

    /** Where the contact breaks by itself. */
    interface Breaks {
        /** Counts a request or notification, and returns whether the contact breaks there. */
        boolean at(Outage.When when, String what);
    }

    final Set<MemoryEntry> entries = new LinkedHashSet<>();
    final Set<Topic> followed = new LinkedHashSet<>();
    final SortedMap<Long, Boolean> verdicts = new TreeMap<>();

    private final String id;
    private final String client;
    private final Duration ttl;
    private final Loop loop;
    private final Events to;
    private final Breaks breaks;
    private boolean established;
    private boolean cut = true;
    private boolean closed;
    private long endsNanos;
    private @Nullable CoordinationException ended;
    private @Nullable Runnable attach;

    Lease(String id, String client, Duration ttl, Loop loop, Events to, Breaks breaks) {
        this.id = id;
        this.client = client;
        this.ttl = ttl;
        this.loop = loop;
        this.to = to;
        this.breaks = breaks;
    }

    String id() {
        return id;
    }

    String client() {
        return client;
    }

    long nanoTime() {
        return loop.nanoTime();
    }

    boolean isAlive() {
        return established && ended == null;
    }

    boolean isCut() {
        return cut;
    }

    /** Whether nothing is left to keep: the session has ended, and its client knows or will never ask. */
    boolean isDisposable() {
        return !isAlive() && (closed || (ended != null && !cut));
    }

    long endsNanos() {
        return endsNanos;
    }

    /** Renews the lease for another ttl from now. */
    void renew() {
        endsNanos = nanoTime() + ttl.toNanos();
    }

    /** The client attaches once there is contact. */
    void attach(Runnable task) {
        followed.clear();
        cut = true;
        attach = task;
    }

    /** There may be contact: serves the attach that waits. */
    void connect() {
        Runnable waiting = attach;
        if (waiting != null) {
            attach = null;
            cut = false;
            waiting.run();
        }
    }

    /** Begins the session, unless it has begun. */
    void establish() {
        if (!established) {
            established = true;
            renew();
        }
    }

    /** Ends the contact. */
    void cut(String why) {
        if (!cut) {
            cut = true;
            followed.clear();
            post(() -> to.disconnected(why));
        }
    }

    /** Serves a step and answers it, unless there is no contact or it breaks there. */
    <T> void serve(String name, Supplier<T> step, Reply<T> reply) {
        if (cut) {
            return;
        }
        CoordinationException over = ended;
        if (over != null) {
            post(() -> to.over(over));
        } else if (breaks.at(Outage.When.BEFORE_REQUEST, name)) {
            interrupt(name);
        } else {
            boolean after = breaks.at(Outage.When.AFTER_REQUEST, name);
            T answer = step.get();
            if (after) {
                interrupt(name);
            }
            deliver(name, () -> reply.answered(answer));
        }
    }

    /** Notifies the client of an event; it is lost without contact. */
    void notify(String name, Runnable event) {
        deliver(name, event);
    }

    Events events() {
        return to;
    }

    private void deliver(String name, Runnable message) {
        if (!cut && breaks.at(Outage.When.BEFORE_NOTIFICATION, name)) {
            interrupt(name);
        }
        if (!cut) {
            post(message);
            if (breaks.at(Outage.When.AFTER_NOTIFICATION, name)) {
                interrupt(name);
            }
        }
    }

    private void interrupt(String name) {
        cut("the contact broke at " + name);
    }

    /** Ends the session; its entries have been removed before. */
    void end(CoordinationException why) {
        ended = why;
        followed.clear();
        if (!cut) {
            post(() -> to.over(why));
        }
    }

    /** The client sends and receives nothing more. */
    void close() {
        closed = true;
        cut = true;
        attach = null;
        followed.clear();
    }

    private void post(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException stopped) {
            // The client's loop has ended, and there is nothing left to notify. The lease will run out.
        }
    }
}
