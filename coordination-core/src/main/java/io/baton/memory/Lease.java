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
 * The store's side of a session: what it keeps for a client and until when, and the way to that client. While the
 * contact is cut, what either side has to say waits in order. Everything here happens under the store's lock.
 */
final class Lease {

    /** The client's side; told on its loop. */
    interface Client {
        void connected();

        void suspended();

        void ended(CoordinationException why);
    }

    /** The way to the client. */
    interface Contact {
        /** Counts what is asked or told; true if the contact breaks there. */
        boolean breaks(Outage.When when, String what);

        /** The client comes back; on its loop. */
        void reconnect(Lease lease);
    }

    private record Notification(String name, Runnable run) {}

    final Set<MemoryEntry> entries = new LinkedHashSet<>();
    final List<MemoryTreeObserver> observations = new ArrayList<>();
    final List<MemoryHeadObserver> heads = new ArrayList<>();

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

    /** Whether nobody is left who would want to know of this lease's end. */
    boolean isDisposable() {
        return (ended != null && !cut) || (abandoned != null && !alive());
    }

    long endsNanos() {
        return endsNanos;
    }

    /** Lives for another ttl, counted from when the client asked. */
    void renew(long sentNanos) {
        endsNanos = sentNanos + spec.ttl().toNanos();
    }

    /** The first contact, or contact again: the client is told before anything that has waited. */
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
        heads.forEach(MemoryHeadObserver::resync);
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

    /** Serves or refuses the request now, or once there is contact; false if it has to wait. */
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

    /** Renews unless the contact breaks first; true if the client learns that it did. */
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

    /** Takes a request back that still waits. */
    boolean withdraw(Request request) {
        return requests.remove(request);
    }

    /** Tells the client, or does so once there is contact. */
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

    /** Cuts the contact; the client comes back at once. */
    private void interrupt() {
        cut();
        post(() -> contact.reconnect(this));
    }

    /** The last thing that a client is told; its entries have been removed before. */
    void end(CoordinationException why) {
        ended = why;
        observations.clear();
        heads.clear();
        deliver("ended", () -> client.ended(why));
    }

    /** The client has closed while out of contact: nothing can be asked of it, or told to it, any more. */
    void abandon(CoordinationException why) {
        abandoned = why;
        observations.clear();
        heads.clear();
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
            // The client's thread has ended, and with it everybody who could be told. The lease will run out.
        }
    }
}
