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

    final Set<Contender> entries = new LinkedHashSet<>();
    final List<Observation> observations = new ArrayList<>();

    private final String id;
    private final SessionSpec spec;
    private final Loop loop;
    private final Client client;
    private final List<Request> requests = new ArrayList<>();
    private final List<Runnable> tidings = new ArrayList<>();
    private boolean established;
    private boolean cut = true;
    private @Nullable CoordinationException abandoned;
    private long endsNanos;
    private @Nullable CoordinationException ended;

    Lease(String id, SessionSpec spec, Loop loop, Client client) {
        this.id = id;
        this.spec = spec;
        this.loop = loop;
        this.client = client;
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
    boolean settled() {
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
        tidings.forEach(this::post);
        tidings.clear();
        observations.forEach(Observation::resync);
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
        } else {
            request.serve();
        }
        return true;
    }

    /** Takes a request back that still waits. */
    boolean withdraw(Request request) {
        return requests.remove(request);
    }

    /** Tells the client, or does so once there is contact. */
    void tell(Runnable tiding) {
        if (cut) {
            tidings.add(tiding);
        } else {
            post(tiding);
        }
    }

    /** The last thing that a client is told; its entries have been removed before. */
    void end(CoordinationException why) {
        ended = why;
        observations.clear();
        tell(() -> client.ended(why));
    }

    /** The client has closed while out of contact: nothing can be asked of it, or told to it, any more. */
    void abandon(CoordinationException why) {
        abandoned = why;
        observations.clear();
        tidings.clear();
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
