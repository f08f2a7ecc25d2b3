package io.baton.memory;

import io.baton.CoordinationException;
import io.baton.spi.Loop;
import io.baton.spi.SessionSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The store's side of a session: its entries and observers, its expiry, and the contact with its client. While the
 * contact is cut, requests and notifications wait in order. Under the store's lock.
 */
final class Lease {

    /** The client's side, called on its loop. */
    interface Client {
        void connected();

        void suspended();

        void ended(CoordinationException why);
    }

    /** The contact with the client. */
    interface Contact {
        /** Counts a request or notification, and returns whether the contact breaks there. */
        boolean breaks(Outage.When when, String what);

        /** Restores the contact; called on the client's loop. */
        void reconnect(Lease lease);
    }

    private record Notification(String name, Runnable run) {}

    final Set<MemoryEntry> entries = new LinkedHashSet<>();
    final List<MemoryTreeObserver> observations = new ArrayList<>();
    final List<MemoryLineObserver<?>> lines = new ArrayList<>();

    private final String id;
    private final SessionSpec spec;
    private final Loop loop;
    private final Client client;
    private final List<Request> requests = new ArrayList<>();
    private final List<Notification> notifications = new ArrayList<>();
    private final Contact contact;
    private boolean established;
    private boolean cut = true;
    private @Nullable CoordinationException abandoned;
    private long endsNanos;
    private @Nullable CoordinationException ended;

    Lease(String id, SessionSpec spec, Loop loop, Client client, Contact contact) {
        this.id = id;
        this.spec = spec;
        this.loop = loop;
        this.client = client;
        this.contact = contact;
    }

    String id() {
        return id;
    }

    SessionSpec spec() {
        return spec;
    }

    long nanoTime() {
        return loop.nanoTime();
    }

    boolean alive() {
        return established && ended == null;
    }

    boolean isCut() {
        return cut;
    }

    /** Returns whether the store may forget this lease: its end needs no further notification. */
    boolean isDisposable() {
        return (ended != null && !cut) || (abandoned != null && !alive());
    }

    long endsNanos() {
        return endsNanos;
    }

    /** Renews the lease for another ttl, counted from when the client asked. */
    void renew(long sentNanos) {
        endsNanos = sentNanos + spec.ttl().toNanos();
    }

    /** Starts or restores the contact; the client is notified of it before it receives anything that has waited. */
    void connect() {
        if (!established) {
            established = true;
            renew(nanoTime());
        }
        cut = false;
        if (ended == null) {
            post(client::connected);
        }
        List<Notification> kept = List.copyOf(notifications);
        notifications.clear();
        kept.forEach(notification -> deliver(notification.name(), notification.run()));
        observations.forEach(MemoryTreeObserver::resync);
        lines.forEach(MemoryLineObserver::resync);
        List<Request> waiting = List.copyOf(requests);
        requests.clear();
        waiting.forEach(this::request);
    }

    void cut() {
        cut = true;
        if (ended == null) {
            post(client::suspended);
        }
    }

    /** Serves or refuses the request now, or once there is contact. Returns false if it has to wait. */
    boolean request(Request request) {
        CoordinationException over = cut ? abandoned : ended;
        if (over != null) {
            post(() -> request.refuse(over));
        } else if (cut) {
            requests.add(request);
            return false;
        } else if (contact.breaks(Outage.When.BEFORE_REQUEST, request.name())) {
            interrupt();
            post(request::lost);
        } else {
            if (contact.breaks(Outage.When.AFTER_REQUEST, request.name())) {
                interrupt();
            }
            answer(request, request.serve());
        }
        return true;
    }

    /** Renews the lease unless the contact breaks first. Returns whether the client receives the confirmation. */
    boolean renewAndConfirm(long sentNanos) {
        if (contact.breaks(Outage.When.BEFORE_REQUEST, "renew")) {
            interrupt();
            return false;
        }
        renew(sentNanos);
        if (contact.breaks(Outage.When.AFTER_REQUEST, "renew")
                || contact.breaks(Outage.When.BEFORE_NOTIFICATION, "renew")) {
            interrupt();
            return false;
        }
        if (contact.breaks(Outage.When.AFTER_NOTIFICATION, "renew")) {
            interrupt();
        }
        return true;
    }

    private void answer(Request request, Runnable answer) {
        if (!cut && contact.breaks(Outage.When.BEFORE_NOTIFICATION, request.name())) {
            interrupt();
        }
        if (cut) {
            post(request::lost);
            return;
        }
        post(answer);
        if (contact.breaks(Outage.When.AFTER_NOTIFICATION, request.name())) {
            interrupt();
        }
    }

    /** Withdraws a request that still waits. Returns false if it does not wait. */
    boolean withdraw(Request request) {
        return requests.remove(request);
    }

    /** Notifies the client now, or once there is contact. */
    void deliver(String name, Runnable notification) {
        if (!cut && contact.breaks(Outage.When.BEFORE_NOTIFICATION, name)) {
            interrupt();
        }
        if (cut) {
            notifications.add(new Notification(name, notification));
            return;
        }
        post(notification);
        if (contact.breaks(Outage.When.AFTER_NOTIFICATION, name)) {
            interrupt();
        }
    }

    /** Cuts the contact; the client reconnects at once. */
    private void interrupt() {
        cut();
        post(() -> contact.reconnect(this));
    }

    /** Ends the lease, with the last notification of its client; its entries have been removed before. */
    void end(CoordinationException why) {
        ended = why;
        observations.clear();
        lines.clear();
        deliver("ended", () -> client.ended(why));
    }

    /** The client has closed while out of contact: it sends and receives nothing more. */
    void abandon(CoordinationException why) {
        abandoned = why;
        observations.clear();
        lines.clear();
        notifications.clear();
        requests.forEach(request -> post(() -> request.refuse(why)));
        requests.clear();
        post(() -> client.ended(why));
    }

    boolean isAbandoned() {
        return abandoned != null;
    }

    private void post(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException stopped) {
            // The client's loop has ended, and there is nothing left to notify. The lease will run out.
        }
    }
}
