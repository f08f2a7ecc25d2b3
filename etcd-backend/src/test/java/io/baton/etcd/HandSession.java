package io.baton.etcd;

import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.spi.Line;
import io.baton.spi.SessionSpec;
import io.baton.spi.support.AdaptiveLimit;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A session in contact, on a wire whose answers are given by hand, and its places in one line. */
final class HandSession {

    static final String LINE = "/app/locks/orders/";
    static final String OWN = "/app/.sessions/4d";
    static final Duration TTL = Duration.ofSeconds(4);

    final HandWire wire = new HandWire();
    final List<String> told = new ArrayList<>();
    final DeafListener listener = new DeafListener();
    final EtcdSession session;
    private EtcdWire.Events events;

    HandSession() {
        wire.watchHeader = 10;
        session = new EtcdSession(
                EtcdAddress.parse(URI.create("etcd://nowhere/app")),
                new SessionSpec(TTL, "test"),
                Timing.of(TTL),
                wire,
                (patience, to) -> {
                    events = to;
                    return wire;
                },
                listener,
                AdaptiveLimit.fixed(RequestWindow.LIMIT));
        events.connected();
        wire.grants.remove().accept(Fault.NONE, new Lease(HandWire.header(9), HandWire.LEASE, TTL));
        wire.answer(10, HandWire.part());
    }

    /** Of what it is told, {@code told} keeps note under this name. */
    LinePlace join(String name) {
        var noted = new ArrayList<String>() {
            @Override
            public boolean add(String what) {
                return told.add(name + " " + what);
            }
        };
        return (LinePlace) session.join(Line.of("locks/orders"), new byte[0], new NotedStanding(noted));
    }

    /** The contact breaks: what is under way is lost. */
    void disconnect() {
        wire.lose();
        events.disconnected("broken");
    }

    /** The contact is there again, and the session, too. */
    void connect() {
        contact();
        wire.answer(50, own());
    }

    /** The contact is there again; what that asks for, the test answers. */
    void contact() {
        events.connected();
    }

    /** The oldest join is answered, which read nobody: created at this revision. */
    void joined(long revision) {
        wire.answer(revision, HandWire.part());
    }

    /** The oldest join is answered, which read those ahead: created at this revision, behind these. */
    void joinedBehind(long revision, Kv... ahead) {
        var line = new ArrayList<Kv>();
        line.add(HandWire.kv(LINE + "4d-x", "", revision, revision));
        line.addAll(List.of(ahead));
        wire.answer(revision, HandWire.part(), new Part(line, line.size()));
    }

    /** The oldest read of the line is answered: the place with this token stands behind these. */
    void listed(long token, long revision, Kv... ahead) {
        wire.answer(revision, own(), HandWire.part(HandWire.kv(LINE + "4d-x", "", token, token)), HandWire.part(ahead));
    }

    /** Gives its place up, and the store confirms that at this revision. */
    void left(LinePlace place, long revision) {
        place.leave();
        wire.pass(Duration.ZERO);
        wire.answer(revision, HandWire.part());
    }

    /**
     * Gives its place up, and the store confirms that at this revision, with what was read for the next one of the session:
     * it stands with this token, behind these.
     */
    void handedOver(LinePlace place, long revision, long next, Kv... ahead) {
        place.leave();
        removalAnswered(revision, next, ahead);
    }

    /** The oldest removal is answered, as in {@link #handedOver}. */
    void removalAnswered(long revision, long next, Kv... ahead) {
        Part entry = HandWire.part(HandWire.kv(LINE + "4d-x", "", next, next));
        wire.answer(revision, HandWire.part(), own(), entry, HandWire.part(ahead));
    }

    /** The oldest renewal is answered. */
    void renewed() {
        wire.renewals.remove().accept(Fault.NONE, new Lease(HandWire.header(21), HandWire.LEASE, TTL));
    }

    static Part own() {
        return HandWire.part(new Kv(OWN, new byte[0], 10, 10, HandWire.LEASE));
    }

    static Kv other(String name, long created) {
        return HandWire.kv(LINE + name, "", created, created);
    }
}
