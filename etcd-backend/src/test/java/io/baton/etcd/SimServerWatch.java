package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Event;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** A watch as a member keeps it, and the stream on which it tells: what is sent on it arrives in order. */
final class SimServerWatch {

    private final SimConnection connection;
    private final Range range;
    private final EtcdWire.Watcher to;
    private final ArrayDeque<Runnable> underWay = new ArrayDeque<>();
    private long next;
    private boolean deaf;
    private boolean loses;

    /** {@code to} is called at the client's machine. */
    SimServerWatch(SimConnection connection, Range range, long from, EtcdWire.Watcher to) {
        this.connection = connection;
        this.range = range;
        this.next = from;
        this.to = to;
    }

    SimConnection connection() {
        return connection;
    }

    /** The first revision that has not been told of. */
    long next() {
        return next;
    }

    /** From now on the server forgets to tell it anything. */
    void fallDeaf() {
        deaf = true;
    }

    /** The server forgets to tell it of the next revision that it would have to be told of. */
    void loseNext() {
        loses = true;
    }

    void created(SimMember by) {
        if (next == 0) {
            next = by.store().revision() + 1;
        }
        var header = by.header();
        send(() -> to.created(header));
    }

    /** All that happened in one revision. */
    void happened(SimMember by, List<Event> events) {
        if (events.isEmpty() || events.get(0).revision() < next) {
            return;
        }
        next = events.get(0).revision() + 1;
        var wanted = new ArrayList<Event>();
        for (Event event : events) {
            boolean in = range.prefix()
                    ? event.key().startsWith(range.key())
                    : event.key().equals(range.key());
            if (in && (event.deleted() || range.values())) {
                wanted.add(event);
            }
        }
        if (!wanted.isEmpty() && deaf) {
            by.counts().add("events the server forgot");
        } else if (!wanted.isEmpty() && loses) {
            loses = false;
            by.counts().add("events the server lost");
        } else if (!wanted.isEmpty()) {
            var header = by.header();
            by.counts().add(range.prefix() ? "events to followers" : "events to watchers of one");
            send(() -> to.events(wanted, header));
        }
    }

    void end(Fault why) {
        send(() -> to.ended(why));
    }

    private void send(Runnable message) {
        underWay.add(message);
        connection.toClientLate("late events", () -> underWay.remove().run());
    }
}
